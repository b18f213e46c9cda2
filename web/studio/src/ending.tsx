// What follows a game: how it went, why, and what to play next. After a win, why is what the other side did.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Info, message, type Position, type Turn } from "./api";
import { playerName } from "./catalogue";
import { untilOver } from "./effect";
import { atOneScreen, type Game, givenUp, usualGame } from "./game";
import { keepLevel, level, levelNames, levelOf, topLevel } from "./level";
import { formatRoute } from "./link";
import { bestPlay, hopeless, mistake, mistakesIn, quitterOf, stood, told, type Turning } from "./mistake";
import { type Kept, keptGames } from "./shelf";
import { sound } from "./sound";
import { say, show } from "./text";
import { other, side } from "./words";

// seatOf is the seat of the person who plays against a player, "" where there are two
// or none.
export const seatOf = (g: Game): "first" | "second" | "" =>
  g.first === "human" && g.second !== "human" ? "first" : g.second === "human" && g.first !== "human" ? "second" : "";

export const opponentOf = (g: Game): string => (seatOf(g) === "second" ? g.first : g.second);

export const against = (g: Game, player: string): Game => (seatOf(g) === "second" ? { ...g, first: player } : { ...g, second: player });

// resultOf is how a game ended: first, second or draw.
export const resultOf = (g: Game, p: Position): string => (g.resigned && g.ply === g.moves.length ? givenUp(g.resigned) : p.state.result);

// Score counts the games that this browser keeps, but those from a given position or that changed hands: of a person against an opponent, or
// of two people, who keep theirs where they swap sides. What a tree pays is neither won nor lost.
export function Score({ g, info, swapped, version }: { g: Game; info: Info | undefined; swapped: boolean; version: string }) {
  const two = g.first === "human" && g.second === "human";
  const between = (k: Game): boolean => (two ? k.first === "human" && k.second === "human" : seatOf(k) !== "" && opponentOf(k) === opponentOf(g));
  const counted = (): number[] => {
    const games = keptGames().filter((k) => k.game === g.spec && k.result !== "*" && !k.start && !k.paid && !k.linked && !k.mixed && !k.online && between({ ...g, ...k }));
    const mine = (k: Kept) => k.result === (k.first === "human" && !k.swapped ? "first" : "second");
    return [games.filter(mine).length, games.filter((k) => k.result === "draw").length, games.filter((k) => k.result !== "draw" && !mine(k)).length];
  };
  const [count, set] = useState(counted);
  useEffect(() => set(counted()), [version, g.spec, opponentOf(g)]);
  const who = (n: number, seat: string): string => say("player n side", { n, side: side(info, seat) });
  if (info?.drawn === "tree") return null;
  if (two) return <Tally count={count} me={who(1, swapped ? "second" : "first")} player={who(2, swapped ? "first" : "second")} />;
  return seatOf(g) === "" ? null : <Tally count={count} player={playerName(opponentOf(g))} />;
}

// Tally shows how many games were won, drawn and lost against a player, by who reads it or by me.
export function Tally({ count: [won = 0, drawn = 0, lost = 0], player, me = "" }: { count: number[]; player: string; me?: string }) {
  return (
    <p class="tally" aria-label={say("score against player", { player, won, drawn, lost, me })}>
      <span>{show("opponent b", { player: me || say("You"), b: <b>{won}</b> })}</span><span>{show("drawn b", { b: <b>{drawn}</b> })}</span><span>{show("opponent b", { player, b: <b>{lost}</b> })}</span>
    </p>
  );
}

// After is the place for what follows a game; a win is celebrated there.
export function After({ won, said, children }: { won: boolean; said: string; children: ComponentChildren }) {
  return (
    <section class={`ending ${won ? "triumph" : ""}`} aria-label={say("after the game")}>
      {won && <div class="burst" aria-hidden="true">{Array.from({ length: 16 }, (_, i) => <i key={i} class={i % 2 ? "o" : "x"} style={{ "--k": `${i}` }} />)}</div>}
      {said && <h2>{said}</h2>}
      {children}
    </section>
  );
}

// onward is the world to go on to from one in which nothing is left to win.
const onward = "connect4";

// Games on boards of more squares than that are looked through only when asked, as it takes a while; by itself only at
// their end.
const quickly = 49;

// useTurning looks for what a game that is over turned on for a seat, for none where there is none: after a win, for the
// other one. It tells what it found, whether it goes on, and whether in the whole game, which look has it do.
function useTurning(g: Game, info: Info, seat: Turn | "", won: boolean) {
  const quick = seat !== "" && (info.squares?.length ?? 0) <= quickly && !info.chance;
  const [whole, setWhole] = useState(quick);
  const [looking, setLooking] = useState(seat !== "");
  const [found, setFound] = useState<Turning | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(untilOver((signal) => {
    if (!looking || !seat) return;
    const heard = (t: Turning) => signal.aborted || setFound((old) => (!t.move && old?.move ? old : t)); // what was certain stays so
    void mistake(g, info, won ? other(seat) : seat, won, whole, signal, heard).then(heard, (e) => {
      if (signal.aborted) return;
      setFailure(message(e));
      setWhole(false); // it can be asked for again
    }).then(() => signal.aborted || setLooking(false));
  }), [looking]);
  const look = () => {
    setFailure("");
    setWhole(true);
    setLooking(true);
  };
  return { quick, whole, looking, found, failure, look };
}

// reasonOf says why a game went as it did for a seat, as far as that was found.
function reasonOf(found: Turning | null, seat: Turn | "", how: "won" | "lost" | ""): string {
  if (!found || !seat) return "";
  const [won, move] = [how === "won", found.move];
  return move ? say("look at your move", { mistake: won && move.certain, theirs: won && !move.certain, yours: !won, ply: move.ply, move: move.move, why: found.why }) : told(found, seat, how);
}

// Why says in a line what was said. Another sentence is another element, else it would count as one that moves.
const Why = ({ says }: { says: string[] }) => {
  const text = says.filter(Boolean).join(" ");
  return <p class="why" role="status"><span key={text}>{text || " "}</span></p>;
};

// Turned says what a game between people turned on for a seat.
export function Turned({ g, info, seat, how }: { g: Game; info: Info; seat: Turn; how: "won" | "lost" | "" }) {
  const { found, looking, failure } = useTurning(g, info, seat, how === "won");
  return <Why says={[reasonOf(found, seat, how), looking ? say("looking for where it turned", { earlier: found !== null }) : failure]} />;
}

// Slot is the place beside a board in which over, what follows a game, covers what stands there else.
export const Slot = ({ over, children }: { over: ComponentChildren; children: ComponentChildren }) => (
  <div class={over ? "slot covered" : "slot"}>{children}{over}</div>
);

// own says that it was played here, not brought by a link; counts that it was so from its start by the same players.
interface Props { g: Game; p: Position; own: boolean; counts: boolean; undo: ComponentChildren; dock: ComponentChildren; onBegin: (next: Game, said: string) => void; onBack: (ply: number) => void; onReview: (ply?: number) => void }

// Ending is what follows a game that is over. The buttons that lead on take the places of those of the game in the
// dock, each one its own, so that none lies below the screen and none moves. Beside the board it has no dock.
export function Ending({ g, p, own, counts, undo, dock, onBegin, onBack, onReview }: Props) {
  const seat = seatOf(g);
  const result = resultOf(g, p);
  const paid = p.state.payoff !== undefined; // what it paid is neither won nor lost
  const won = seat !== "" && !paid && result === seat;
  const triumph = own && (won || atOneScreen(g) && result !== "draw" && !g.resigned); // somebody at this screen has won
  const lost = seat !== "" && !paid && result !== seat && result !== "draw";
  const n = levelOf(opponentOf(g));
  const { quick, whole, looking, found, failure, look } = useTurning(g, p.info, seat, won);
  useEffect(() => {
    if (!paid && p.info.squares) sound(triumph ? "won" : lost ? "lost" : "drawn");
    if (won && counts && n > 0 && n < topLevel) keepLevel(g.spec, n + 1);
  }, []);
  const quitter = atOneScreen(g) && !paid ? (quitterOf(g.resigned) as Turn | "") : ""; // of two people
  const [stand, setStand] = useState("");
  useEffect(untilOver((signal) => quitter && void mistake(g, p.info, quitter, true, false, signal, () => {}).then((t) => signal.aborted || setStand(stood(t, quitter, { side: side(p.info, quitter) })), () => {})), []);
  // What the judge found need not make a puzzle: of every move it has to be known whether it was right. The link has its place until that is known.
  const mined = lost && whole && !p.info.chance && !p.info.loopy;
  const [mistaken, setMistaken] = useState(false);
  useEffect(untilOver((signal) => mined && found && !looking && mistakesIn({ game: g.spec, start: g.start, moves: g.moves }, seat, signal).then((list) => signal.aborted || setMistaken(list.length > 0), () => {})), [looking]);
  const to = (level_: number) => onBegin(against(g, level(level_)), say("new game against level", { level: levelNames[level_ - 1]! }));
  const harder = n > 0 && n < topLevel;
  const said = won && own ? say("you won") : lost ? say("you lost this one") : result === "draw" ? say("a draw") : won || seat === "" ? say("side wins", { side: side(p.info, result) }) : "";
  const turned = found?.move ?? null;
  const again = !won && found ? found.again : 0; // the ply to try again
  const unknown = !won && looking && !found; // until when its button can't be pressed
  const how = won ? "won" : lost ? "lost" : "";
  const why = reasonOf(found, seat, how);
  const on = looking ? say("looking for where it turned", { earlier: found !== null }) : failure;
  const held = result === "draw" && n === topLevel && found?.start === "draw";
  const best = held ? say("nobody can do better") : found && seat ? bestPlay(found, seat, how, n === topLevel, p.info) : "";
  const retry = again > 0 && <button type="button" class="primary" onClick={() => onBack(again - 1)}>{say("try again from move ply", { ply: again })}</button>;
  const next = harder && <button type="button" class={won ? "primary" : ""} onClick={() => to(n + 1)}>{say(won ? "next" : "harder", { n: n + 1 })}</button>;
  const easier = lost && n > 1 && <button type="button" onClick={() => to(n - 1)}>{say("easier", { n: n - 1 })}</button>;
  const anew = <button type="button" class={(won && harder) || again > 0 ? "" : "primary"} onClick={() => onBegin(g, say("new game begins"))}>{say("play again")}</button>;
  const review = <button type="button" onClick={() => onReview(turned ? turned.ply - 1 : undefined)}>{say("review every move")}</button>;
  const step = lost ? easier : next;
  const swap = lost && found && !turned && hopeless(found, seat as Turn) && <button type="button" onClick={() => onBegin({ ...g, first: g.second, second: g.first }, say("new game begins swapped"))}>{say("try the other side")}</button>;
  const kept = (lost || paid) && unknown && <button type="button" class="past">{say("try again from move ply", { ply: g.moves.length })}</button>; // its place, until it is known
  const below = dock ? [step && review] : won ? [next, anew, review] : [retry || kept, anew, step, review];
  return (
    <>
      {dock && <div class="dock"><div class="row actions after">{retry || (unknown ? <button type="button" disabled>{say("try again")}</button> : undo)}{anew}{step || review}</div></div>}
      <After won={triumph} said={paid ? "" : said}>
        {(looking || found || failure || quitter) && <Why says={[why, stand, best, on]} />}
        <div class="row">
          {swap}
          {below}
          {mined && <a class={mistaken ? "button" : "button past"} href={formatRoute({ page: "puzzles", query: { from: "mistakes" } })}>{say("your mistakes as puzzles")}</a>}
          {seat && !whole && !looking && found?.seen !== 0 && <button type="button" onClick={look}>{say("where did it turn")}</button>}
        </div>
        {quick && result === "draw" && n === topLevel && <p><a class={held ? "" : "past"} href={formatRoute({ page: "play", query: { game: g.spec === onward ? usualGame : onward } })}>{say("another world")}</a></p>}
        {won && counts && n === topLevel && <p class="muted">{say("you have beaten", { n: g.moves.length })}</p>}
      </After>
    </>
  );
}
