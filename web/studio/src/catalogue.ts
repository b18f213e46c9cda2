// The games and players that are offered by name. Games are the server's; anything
// else can be typed.
import type { Games, GameOffer, Info, PlayerForm } from "./api";
import { level, levelNames, levelOf } from "./level";
import { say } from "./text";

export interface Offer { spec: string; name: string }
export interface Shelf<O extends Offer = Offer> { name: string; offers: O[] }

const kindOf = (spec: string): string => spec.split(/[:+, ]/)[0] ?? "";

// only leaves out of shelves what does not suit, and shelves that are empty then.
const only = <O extends Offer>(list: Shelf<O>[], suits: (spec: string) => boolean): Shelf<O>[] =>
  list.map((s) => ({ name: s.name, offers: s.offers.filter((o) => suits(o.spec)) })).filter((s) => s.offers.length > 0);

// Offered is a game that the server offers; own is its own spec, which games on the server have,
// names what it is called, folded.
export interface Offered extends GameOffer { proofs: boolean; own: string; names: string[] }

// stock is what the server offers, once it has answered.
let stock: Offered[] = [];

// stocked remembers what the server offers, for names.
export function stocked(g: Games): Games {
  stock = g.games.flatMap((k) => (k.offers ?? []).map((o) => ({ ...o, proofs: k.proofs, own: (k.same ?? k.kind) + o.spec.slice(k.kind.length), names: [o.name, ...(o.also ?? [])].map(folded) })));
  return g;
}

// offered lists the games that the server offers and that suit, by shelf.
export function offered(suits: (o: Offered) => boolean = () => true): Shelf<Offered>[] {
  const shelves = [...new Set(stock.map((o) => o.shelf))];
  return only(shelves.map((name) => ({ name, offers: stock.filter((o) => o.shelf === name && suits(o)) })), () => true);
}

// provable reports whether a game is of a kind that is proved, and has no chance.
export const provable = (o: Offered): boolean => o.proofs && !o.chance;

// folded is a name without what people type differently.
const folded = (name: string): string => name.toLowerCase().replace(/×/g, "x").replace(/[^\p{L}\p{Nd}]/gu, "");

// called is the spec by which a game is offered that is called by a name that people type, or by its own spec; any other
// spec as it is.
export function called(spec: string): string {
  const name = folded(spec);
  return stock.find((o) => o.own === spec || o.spec === spec || o.names.includes(name))?.spec ?? spec;
}

// shownOf are the moves after which a game's board shows what it is.
export const shownOf = (spec: string): string[] => stock.find((o) => o.spec === spec)?.shown ?? [];

export function nameOf(spec: string): string | undefined {
  const own = called(spec);
  return stock.find((o) => o.spec === own)?.name;
}

// known reports whether the server has said what it offers.
export const known = (): boolean => stock.length > 0;

// titleOf is what a game is called: its name, or else its spec; … until the names are there.
export const titleOf = (spec: string): string => nameOf(spec) ?? (known() ? spec : "…");

const players: Shelf[] = [
  { name: "", offers: [{ spec: "human", name: say("a person here") }] },
  { name: say("by strength"), offers: levelNames.map((name, i) => ({ spec: level(i + 1), name: say("name level n", { name, n: i + 1 }) })) },
  { name: say("by algorithm"), offers: [
    { spec: "perfect", name: say("perfect play") },
    { spec: "heuristic", name: say("rules of thumb") },
    { spec: "rows", name: say("counts open rows") },
    { spec: "winratio", name: say("largest share of wins") },
    { spec: "minimax:depth=2", name: say("minimax 2 moves deep") },
    { spec: "alphabeta:time=300ms", name: say("alpha beta 0.3 s") },
    { spec: "mcts:sims=200", name: say("monte carlo 200 games") },
    { spec: "mcts:time=1s", name: say("monte carlo 1 s") },
    { spec: "random", name: say("random") },
  ] },
];

// strength says beside a player's name how strong its level was measured to be, where it was.
function strength(figures: { level: number; elo: number }[], { spec, name }: Offer): string {
  const f = figures.find((f) => f.level === levelOf(spec));
  return f ? say("name and strength", { name, sign: f.elo < 0 ? "−" : "+", points: Math.abs(f.elo), level: f.level - 1 }) : name;
}

// ownPlayers are those that play only games of that one's kind.
const ownPlayers = (known: Games | null, game: string) => known?.games.find((k) => k.kind === kindOf(game))?.only ?? [];

// playerForms are how the players of a game are named, its own first.
export const playerForms = (known: Games | null, game: string): PlayerForm[] => [...ownPlayers(known, game), ...(known?.players ?? [])];

// offeredPlayers leaves out what the server does not know and what is refused in that game, and
// adds the players that play only that game, and those that the program has brought. A person is on a shelf without a name.
export function offeredPlayers(known: Games | null, game: string, refused: Map<string, string>): Shelf[] {
  const forms = new Set(known?.players.map((p) => kindOf(p.form)));
  const own = ownPlayers(known, game);
  const shelf = (name: string, specs: string[]): Shelf => ({ name, offers: specs.map((spec) => ({ spec, name: capital(spec) })) });
  const brought = [shelf(say("of this game"), own.filter((p) => p.form === p.name).map((p) => p.name)),
    shelf(say("of this program"), (known?.players ?? []).filter((p) => p.own && p.form === kindOf(p.form)).map((p) => p.form))];
  const figures = known?.games.flatMap((k) => k.levels ?? []).filter((f) => f.game === game) ?? [];
  const measured = players.map((s) => ({ ...s, offers: s.offers.map((o) => ({ ...o, name: strength(figures, o) })) }));
  return [...only(measured, (spec) => !refused.has(spec) && (!known || spec === "human" || forms.has(kindOf(spec)))), ...only(brought, (spec) => !refused.has(spec))];
}

export const playerName = (spec: string): string =>
  players.flatMap((s) => s.offers).find((p) => p.spec === spec)?.name ?? (spec.startsWith("brain:") ? brainName(spec.slice(6)) : spec.startsWith("bot:") ? say("spec a bot", { spec: spec.slice(4) }) : spec);

// brainName says which brain that is: one saved under a name, or one that a
// training kept.
export function brainName(brain: string): string {
  const kept = /\/\d+@(\d+)$/.exec(brain);
  return kept?.[1] === "0" ? say("the untaught learner") : kept ? say("the learner after n games", { kept: Number(kept[1]) }) : brain.includes("/") ? say("the learner as it is now") : say("brain of name", { brain });
}

// reserve is a player that plays every game.
export const reserve = "mcts:time=1s";

// capital begins a sentence; symbols such as α and specs such as mnk:9,7,5 stay as they are.
export const capital = (s: string): string => s.replace(/^(?!\w+[:+]\S)\p{Script=Latin}/u, (c) => c.toUpperCase());

// headingOf is a game's name over its page, or its spec as it was typed.
export const headingOf = (spec: string, info?: Info): string => capital(nameOf(spec) ?? info?.title ?? `“${spec}”`);
