// The seats that this browser holds in games on the server, and what stands in those. Whoever has a seat's key plays for
// it.
import { gone, table, type Table, type Turn } from "./api";
import { setItem, storedValue } from "./storage";
import { say } from "./text";
import { useState } from "preact/hooks";
import { useEvery } from "./effect";
import { useLatest } from "./use";
import { other } from "./words";

// Held is a seat. Its score are the games won, drawn and lost against the same other side before, in a row;
// after is the game that this one is the next of; begun says that the game was seen to have begun, over that it was seen
// to have ended, at when, empty that it did so without a move, and ended against whom, and how: won, lost, draw or "" for
// no result; declined or withdrawn where nobody came.
export interface Held { ended?: { name: string; how: string }; id: string; key: string; seat: string; title: string; invite?: string; when: number; score?: Score; after?: string; over?: boolean; at?: number; begun?: boolean; empty?: boolean }
export type Score = [won: number, drawn: number, lost: number];

const key = "oxo.seats";
const most = 50;

// readSeats takes what is a seat of a list from elsewhere.
export const readSeats = (list: unknown): Held[] =>
  (Array.isArray(list) ? (list as Held[]).filter((h) => typeof h?.id === "string" && typeof h.key === "string" && typeof h.title === "string") : []);

export const heldSeats = (): Held[] => readSeats(storedValue(key));

export const heldSeat = (id: string): Held | undefined => heldSeats().find((h) => h.id === id);

// write keeps the latest seats. Without storage they are lost when the page is closed.
const write = (list: Held[]): void => setItem(key, JSON.stringify(list.slice(0, most)));

export const holdSeat = (h: Held): void => write([h, ...heldSeats().filter((o) => o.id !== h.id)]);
export const beginSeat = (id: string): void => write(heldSeats().map((h) => (h.id === id ? { ...h, begun: true } : h)));
export const endSeat = (id: string, empty: boolean, ended?: Held["ended"]): void => write(heldSeats().map((h) => (h.id === id ? { ...h, over: true, at: h.at ?? Date.now(), empty, ended } : h)));
export const dropSeat = (id: string): void => write(heldSeats().filter((h) => h.id !== id));

// isBegun reports whether somebody has accepted a game.
export const isBegun = (t: Table): boolean => t.first.taken && t.second.taken;

// isWithdrawn reports whether a game is over that nobody has accepted.
export const isWithdrawn = (t: Table): boolean => t.state === "over" && !isBegun(t);

// scoreOf counts the games against the same other side in a row, this one included once it has a result.
export function scoreOf(t: Table, seat: string): Score {
  const [won, drawn, lost] = heldSeat(t.id)?.score ?? [0, 0, 0];
  const ended = t.state === "over" ? t.result : "*";
  return [won + Number(ended === seat), drawn + Number(ended === "draw"), lost + Number(ended === other(seat as Turn))];
}

// isAsked reports whether the other side has opened the next game.
export const isAsked = (t: Table): boolean => t.next !== undefined && !heldSeat(t.next);

// lately is for how long after its beginning a game that is over may be asked to be followed by another, in milliseconds,
// and latest of how many games that is looked up at the start.
const lately = 86_400_000, latest = 3;

// endedLately are the latest games that this browser has seen to end.
export const endedLately = (): Held[] => heldSeats().filter((h) => h.over && Date.now() - h.when < lately).slice(0, latest);

// anew is how often it is asked how a game stands, in milliseconds.
const anew = 4000;

// useHeld asks how a game stands, again and again, where that may have changed, and says so in a few words; nothing before it has answered.
export function useHeld(h: Held, changes: boolean): { t: Table | null; says: string } {
  const [turn, setTurn] = useState(0);
  useEvery(anew, () => document.hidden || setTurn((n) => n + 1), [], changes);
  const { data: t } = useLatest(`${changes} ${h.id} ${turn}`, async () => {
    if (!changes) return null;
    const t = await table(h.id, h.key).catch((e) => {
      if (gone(e)) return null; // the server has it no more
      throw e;
    });
    if (!h.over && (t === null || t.state === "over")) endSeat(h.id, t?.moves.length === 0, t ? howEnded(t, h.seat) : undefined);
    return t;
  });
  return { t, says: t ? standing(t, h) : h.over ? finished(h.ended, h.empty) : "" };
}

const themOf = (t: Table, seat: string) => (seat === "first" ? t.second : t.first);

// isDeclined reports whether a game is over as who was asked to play did not want to.
export const isDeclined = (t: Table): boolean => t.reason === `${t.maker === "first" ? "second" : "first"} declined`;

// howEnded is against whom a game was played, "" where nobody had come, and how it ended.
export function howEnded(t: Table, seat: string): Held["ended"] {
  const them = themOf(t, seat);
  if (!them.taken) return t.state === "over" ? { name: "", how: isDeclined(t) ? "declined" : "withdrawn" } : undefined;
  return { name: them.name, how: t.result === "*" ? "" : t.result === "draw" ? "draw" : t.result === seat ? "won" : "lost" };
}

const ways: Record<string, string> = { draw: say("a draw"), won: say("you won"), lost: say("you lost this one"), withdrawn: say("the invitation was withdrawn"), declined: say("the invitation was declined") };

const finished = (ended: Held["ended"], empty = false): string =>
  ended?.name === "" ? (ways[ended.how] ?? "").replace(/\.$/, "") : ended ? say("finished against", { name: ended.name, how: (ways[ended.how] ?? "").replace(/\.$/, "") }) : say(empty ? "the game was called off" : "finished");

function standing(t: Table, h: Held): string {
  const them = themOf(t, h.seat);
  if (t.state === "open") return say("not begun yet");
  if (t.state === "over") return isAsked(t) ? say("asks for another game", { name: them.name }) : finished(howEnded(t, h.seat), t.moves.length === 0);
  return say("against name", { name: them.name, yours: t.turn === h.seat });
}
