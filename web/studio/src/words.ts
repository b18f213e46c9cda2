// How the studio says things.
import type { Info, Position, State, Turn } from "./api";
import { bigRow, boardOwners } from "./nine";
import { locale, say } from "./text";

export const other = (t: Turn): "first" | "second" => (t === "first" ? "second" : "first");

// side names a seat as people call it in that game.
export function side(info: Pick<Info, "seats"> | undefined, t: string): string {
  if (t === "chance") return say("chance");
  return (info?.seats ?? ["X", "O"])[t === "first" ? 0 : 1]!;
}

// both are the names of the two sides.
export const both = (info: Info | undefined): { first: string; second: string } => ({ first: side(info, "first"), second: side(info, "second") });

// lookOf is what a game's marks are made of: discs, stones, beads or ink.
export const lookOf = (info: Info): string => (info.stones ? "stone" : info.drawn === "levels" ? "bead" : info.drawn === "grid" && info.falls ? "disc" : "");

// markName is what a mark is called: by its colour where marks are stones or discs.
export const markName = (info: Info, mark: string): string => {
  const look = lookOf(info);
  return mark === "." ? say("empty") : look === "stone" ? say(mark === "x" ? "Black" : "White") : look === "disc" ? say(mark === "x" ? "Red" : "Yellow") : mark.toUpperCase();
};

// sides has the server's words for the seats in the words of people.
export const sides = (text: string, info: Info | undefined): string => text.replaceAll("first", side(info, "first")).replaceAll("second", side(info, "second"));

let decimals: Intl.NumberFormat | undefined;

// number writes a worth with at most three decimals.
export const number = (v: number): string => !Number.isFinite(v) ? (v > 0 ? "+∞" : "−∞") :
  (decimals ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false })).format(Math.round(v * 1000) / 1000 || 0).replace("-", "−");

// figures writes a value with three digits that count.
export const figures = (v: number | undefined): string => (v === undefined || !Number.isFinite(v) ? "–" : Number(v.toPrecision(4)).toLocaleString(locale, { maximumSignificantDigits: 4 }).replace("-", "−"));

// exactly writes a count in full, and any other value as figures does.
export function exactly(v: number): string {
  if (!Number.isInteger(v)) return figures(v);
  if (Math.abs(v) < 1e15) return v.toLocaleString(locale).replace("-", "−");
  const [digits, power] = v.toExponential(3).split("e+");
  return `${Number(digits)}·10^${power}`;
}

// ticks are about so many round numbers from lo to hi.
export function ticks(lo: number, hi: number, about: number): number[] {
  const raw = (hi - lo) / about || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw)!;
  const list: number[] = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) list.push(k * step || 0);
  return list;
}

// elo writes a rating, or a difference of two.
export const elo = (n: number): string => (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(Math.round(n));

let dates: Intl.DateTimeFormat | undefined;

// when writes a time with its day.
export const when = (t: string | number): string => (dates ??= new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })).format(new Date(t));

// dayName writes a day of the server's, as 2026-01-31.
export const dayName = (day: string): string => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));

// The format takes a phone a tenth of a second to make, in which nothing moves: it is made
// while nobody waits.
if ("requestIdleCallback" in globalThis) requestIdleCallback(() => when(0));

// lasting says how long some seconds are, roughly.
export function lasting(seconds: number): string {
  if (seconds < 90) return say("n s", { n: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return say("n min", { n: Math.round(seconds / 60) });
  if (seconds < 48 * 3600) return say("n h", { n: Math.round(seconds / 3600) });
  return say("n days", { n: Math.round(seconds / 86400) });
}

// emptyBox is why MENACE resigns.
export const emptyBox = say("its box");

// completedToLose reports whether whoever moved last completed a winning set, and lost by that.
export const completedToLose = ({ owned, state }: Position): boolean =>
  owned.length > 0 && state.result === state.turn;

const list = (of: string[]): string => new Intl.ListFormat(locale).format(of);

// outcome says how a game ended, also by who gave it up; why is the reason of who resigned.
export function outcome(p: Position, resigned: string, why = ""): string {
  const [loser = "", how = ""] = resigned.split(":");
  if (loser === "both") return say(how ? "a draw adjudicated" : "a draw both");
  if (loser) return say(({ "": "side resigned why", time: "side ran out of time", abandoned: "side has left", illegal: "side broke the rules", crashed: "side stopped", adjudicated: "side wins adjudicated" } as const)[how] ?? "side gave up", { side: side(p.info, loser), why, winner: side(p.info, other(loser as Turn)) });
  const s = p.state;
  if (s.result === "*") return "";
  const points = { payoff: s.payoff !== undefined && number(s.payoff), first: side(p.info, "first") };
  if (p.info.drawn === "tree") return say("the end of the tree", points);
  if (s.result === "draw") return say("a draw and points", points);
  const sets = p.owned.map((set) => set.map((i) => p.info.squares?.[i]?.name ?? ""));
  const squares = sets.flat().length <= 12 ? list(sets.map((set) => set.join(sets.length > 1 ? "–" : ", "))) : "";
  if (completedToLose(p)) return say("side wins as other completed", { side: side(p.info, s.result), other: side(p.info, other(s.turn)), squares: squares || say("a winning set") });
  const row = p.info.turns?.nine && p.info.turns.done.some(Boolean) ? bigRow(boardOwners(s.position, p.info.squares ?? [], marks(s.position))) : []; // in Weger's game no row of boards wins
  const boards = list([...new Set(row.flat())].map((b) => boardNames[b]!));
  return say("side wins by", { side: side(p.info, s.result), squares, boards, ...points });
}

// movesBack says where in a game one is who looks back; "" for its end.
export const movesBack = (g: { moves: string[]; ply: number }): string =>
  g.ply === g.moves.length ? "" : g.ply === 0 ? say("at the start of", { n: g.moves.length }) : say("after ply of", { ply: g.ply, n: g.moves.length, move: g.moves[g.ply - 1]! });

// status says whose turn it is, or how the game ended.
export function status(p: Position, resigned = "", why = ""): string {
  const end = outcome(p, resigned, why);
  if (end) return end;
  const board = activeBoard(p.info, p.state);
  return say("side to move where", { side: side(p.info, p.state.turn), board: board > 0 && board, name: boardNames[board - 1] ?? "", anywhere: board === 0 });
}

export const boardNames = [say("top left"), say("top"), say("top right"), say("left"), say("centre"), say("right"), say("bottom left"), say("bottom"), say("bottom right")];

// activeBoard is the board 1…9 of a meta game that must be played in, 0 for
// any, −1 in games that know no such thing.
export function activeBoard(info: Info, s: State): number {
  if (info.drawn !== "nine") return -1;
  const word = s.position.split(" ")[2] ?? "";
  if (/^[1-9]$/.test(word)) return Number(word);
  return 0;
}

// unplayable says why nobody may play on a square now.
export function unplayable(p: Position, i: number): string {
  const taken = (marks(p.state.position)[i] ?? ".") !== ".";
  return say("name can't be played", { name: p.info.squares?.[i]?.name ?? "", taken, board: !taken && (boardNames[activeBoard(p.info, p.state) - 1] ?? "") });
}

// marks are the signs on the squares, in their order.
export const marks = (position: string): string[] => [...(position.split(" ")[0] ?? "").replaceAll("/", "")];

// squareOf is the name of the square that a move goes to.
export const squareOf = (move: string): string => move.slice(Math.max(move.indexOf("@"), move.indexOf("-")) + 1).replace(/^~/, "");

// once is a text without the sentences that were said before, or earlier in it, as reasons too.
export function once(text: string, before = ""): string {
  const sentences = (t: string) => t.split(/(?<=[.?!]) /);
  const said = new Set(sentences(before));
  return sentences(text).flatMap((s) => {
    const colon = s.indexOf(": ");
    const reason = s.slice(colon + 2);
    const kept = said.has(s) ? [] : colon > 0 && said.has(reason) ? [s.slice(0, colon) + "."] : [s];
    said.add(s).add(reason);
    return kept;
  }).join(" ");
}

// clockFace is the time left as clocks show it, in milliseconds; of the last seconds with tenths.
export function clockFace(ms: number): string {
  const s = Math.ceil(ms / 1000);
  if (ms < 20_000) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  const seconds = String(s % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}
