// The games and players that are offered by name. Anything else can be typed.
import type { Games } from "./api";
import { plural } from "./words";

export interface Offer { spec: string; name: string }
export interface Shelf { name: string; offers: Offer[] }

const shelves: Shelf[] = [
  { name: "Tic-tac-toe", offers: [
    { spec: "ttt", name: "Tic-tac-toe" },
    { spec: "mnk:4,4,4", name: "4×4, four in a row" },
    { spec: "mnk:5,5,4", name: "5×5, four in a row" },
    { spec: "torus:4,4,4", name: "4×4 on a torus" },
    { spec: "mnk:7,6,4+gravity", name: "Connect Four" },
    { spec: "mnk:15,15,5", name: "Gomoku 15×15" },
  ] },
  { name: "Other aims", offers: [
    { spec: "ttt+misere", name: "Misère: three in a row loses" },
    { spec: "ttt+wild", name: "Wild: either mark" },
    { spec: "ttt+notakto", name: "Notakto: all marks are X, a row loses" },
    { spec: "mnk:4,4,4+order", name: "Order and Chaos 4×4" },
    { spec: "mnk:6,6,5+order", name: "Order and Chaos 6×6" },
    { spec: "mnk:4,4,4+maker", name: "Maker–Breaker 4×4" },
    { spec: "ttt+avoider", name: "Avoider–Enforcer 3×3" },
    { spec: "ttt+slip=0.2", name: "Slippery tic-tac-toe" },
  ] },
  { name: "Space and meta", offers: [
    { spec: "cube:3,3", name: "3×3×3" },
    { spec: "qubic", name: "Qubic 4×4×4" },
    { spec: "meta", name: "Meta tic-tac-toe" },
    { spec: "ultimate", name: "Ultimate tic-tac-toe" },
  ] },
  { name: "Shapes and planes", offers: [
    { spec: "animal:tic,4,4", name: "Tic, a polyomino, on 4×4" },
    { spec: "animal:knobby,5,5", name: "Knobby, a polyomino, on 5×5" },
    { spec: "plane:projective,2", name: "Fano plane" },
    { spec: "plane:affine,3", name: "Affine plane of order 3" },
    { spec: "plane:affine,4", name: "Affine plane of order 4" },
  ] },
  { name: "Race and trees", offers: [
    { spec: "race:4", name: "Race of 4 squares" },
    { spec: "race:7", name: "Race of 7 squares" },
    { spec: "tree:three-ply", name: "The textbook's tree" },
    { spec: "tree:chance", name: "A tree with chance" },
  ] },
];

const kindOf = (spec: string): string => spec.split(/[:+, ]/)[0] ?? "";

// only leaves out of shelves what does not suit, and shelves that are empty then.
const only = (list: Shelf[], suits: (spec: string) => boolean): Shelf[] =>
  list.map((s) => ({ name: s.name, offers: s.offers.filter((o) => suits(o.spec)) })).filter((s) => s.offers.length > 0);

// offered leaves out what the server does not know, and what does not suit.
// Until the server has answered, it may know everything.
export function offered(known: Games | null, suits: (spec: string) => boolean = () => true): Shelf[] {
  const kinds = new Set(known?.games.map((k) => kindOf(k.spec)));
  return only(shelves, (spec) => (!known || kinds.has(kindOf(spec))) && suits(spec));
}

// provable reports whether a game has what proofs are made of: squares, winning
// sets and no chance. The server has the last word.
export const provable = (spec: string): boolean => !["race", "tree", "meta", "ultimate"].includes(kindOf(spec)) && !spec.includes("+slip");

export const nameOf = (spec: string): string | undefined => shelves.flatMap((s) => s.offers).find((o) => o.spec === spec)?.name;

const players: Shelf[] = [
  { name: "", offers: [{ spec: "human", name: "A person here" }] },
  { name: "By strength", offers: ["Beginner", "Easy", "Medium", "Hard", "Strongest"].map((name, i) => ({ spec: `level:${i + 1}`, name: `${name} (level ${i + 1})` })) },
  { name: "By algorithm", offers: [
    { spec: "perfect", name: "Perfect play" },
    { spec: "heuristic", name: "Rules of thumb" },
    { spec: "rows", name: "Counts open rows" },
    { spec: "winratio", name: "Largest share of wins" },
    { spec: "minimax:depth=2", name: "Minimax, 2 moves deep" },
    { spec: "alphabeta:time=300ms", name: "Alpha-beta, 0.3 s" },
    { spec: "mcts:sims=200", name: "Monte Carlo, 200 games" },
    { spec: "mcts:time=1s", name: "Monte Carlo, 1 s" },
    { spec: "random", name: "Random" },
  ] },
];

// offeredPlayers leaves out what the server does not know. A person is on a shelf
// without a name.
export function offeredPlayers(known: Games | null): Shelf[] {
  const forms = new Set(known?.players.map((p) => kindOf(p.form)));
  return only(players, (spec) => !known || spec === "human" || forms.has(kindOf(spec)));
}

export const playerName = (spec: string): string =>
  players.flatMap((s) => s.offers).find((p) => p.spec === spec)?.name ?? (spec.startsWith("brain:") ? brainName(spec.slice(6)) : spec.startsWith("bot:") ? `${spec.slice(4)}, a bot` : spec);

// brainName says which brain that is: one saved under a name, or one that a
// training kept.
export function brainName(brain: string): string {
  const kept = /\/\d+@(\d+)$/.exec(brain);
  return kept?.[1] === "0" ? "The untaught learner" : kept ? `The learner after ${plural(Number(kept[1]), "game")}` : brain.includes("/") ? "The learner as it is now" : `Brain ${brain}`;
}

// reserve is a player that plays every game.
export const reserve = "mcts:time=1s";

// capital begins a sentence; symbols such as α stay as they are.
export const capital = (s: string): string => s.replace(/^\p{Script=Latin}/u, (c) => c.toUpperCase());
