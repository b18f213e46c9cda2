// A recorded search as a row of steps, and what is known at each.
import type { Simulation, Simulations, Trace, TraceNode, Turn } from "./api";
import { say } from "./text";
import { number } from "./words";

// Twig is a node of the recorded tree with its place among the steps.
export interface Twig {
  node: TraceNode;
  parent: Twig | null;
  children: Twig[];
  depth: number;
  enter: number; // the step that begins it
  done: number; // the step that ends it
  partial: boolean; // whether what was searched below it is not all recorded
  counts?: Count[]; // of simulations, in their order
  gone?: number; // the step from which its numbers are not known
}

// Count is what simulations have made of a node from a step on; what is proven of it lies between lo and hi.
export interface Count { step: number; visits: number; mean: number; lo: number | null; hi: number | null }

// Run is the simulation that a step belongs to, the last step having none, with the nodes of its path so far.
export interface Run { all: Simulations; n: number; simulation?: Simulation; path: Twig[] }

export type StepKind = "enter" | "return" | "leaf" | "cut" | "memory" | "select" | "expand" | "result" | "backup" | "final";

export interface Step { twig: Twig; kind: StepKind; run?: Run }

export interface Walk { roots: Twig[]; steps: Step[]; size: number; by: Manner }

// Manner is how an algorithm's steps are told: with the window it has, from the mover's view as negamax
// does, or as a tree of simulations.
export type Manner = "window" | "plain" | "mover" | "simulations";

export const mannerOf = (algorithm: string): Manner => (algorithm === "negamax" ? "mover" : algorithm === "mcts" ? "simulations" : algorithm === "minimax" || algorithm === "expectiminimax" ? "plain" : "window");

// walk lists the steps of a trace: each node that has children is entered and
// left, each other is looked at once.
export function walk(t: Trace, algorithm = ""): Walk {
  const steps: Step[] = [];
  let size = 0;
  let last: Twig | null = null;
  const visit = (told: TraceNode, parent: Twig | null, depth: number): Twig => {
    const node = told.won ? { ...told, value: told.won === "first" ? Infinity : -Infinity } : told;
    const twig: Twig = { node, parent, children: [], depth, enter: steps.length, done: 0, partial: false };
    size++;
    last = twig;
    const inner = (node.children?.length ?? 0) > 0;
    steps.push({ twig, kind: inner ? "enter" : node.kind === "cut" ? "cut" : node.kind === "leaf" ? "leaf" : "memory" });
    for (const c of node.children ?? []) twig.children.push(visit(c, twig, depth + 1));
    if (inner) steps.push({ twig, kind: "return" });
    twig.done = steps.length - 1;
    return twig;
  };
  const roots = (t.passes ?? []).map((p) => visit(p, null, 0));
  // A search is recorded up to a node: below those that it was in then there was more.
  if (t.omitted > 0) for (let at = last as Twig | null; at; at = at.parent) at.partial = true;
  return { roots, steps, size, by: mannerOf(algorithm) };
}

// viewed is a worth as an algorithm has it at a node: negamax has the mover's.
export const viewed = (by: Manner, t: Twig, worth: number): number => (by === "mover" && t.node.turn === "second" && worth !== 0 ? -worth : worth);

// running is the value of an open node as far as it is known at a step.
export function running(t: Twig, step: number): number | null {
  if (step >= t.done) return t.node.value;
  const known = t.children.filter((c) => c.node.kind !== "cut" && step >= c.done && c.node.value !== null);
  if (known.length === 0) return null;
  if (t.node.turn === "chance") return null;
  const values = known.map((c) => c.node.value!);
  return t.node.turn === "second" ? Math.min(...values) : Math.max(...values);
}

// windowAt is the window of a node at a step: what it was given, narrowed by
// the children that are done. Infinite ends are null.
export function windowAt(t: Twig, step: number): [number | null, number | null] {
  let [alpha, beta] = [t.node.alpha, t.node.beta];
  const best = step < t.done ? running(t, step) : null;
  if (best !== null && t.node.turn === "first") alpha = Math.max(alpha ?? -Infinity, best);
  if (best !== null && t.node.turn === "second") beta = Math.min(beta ?? Infinity, best);
  return [alpha, beta];
}

// asked is the question of a null window, which has nothing between its ends: whether a node is worth more than above,
// or at least least. Nothing is null in a window that is none.
export function asked([alpha, beta]: [number | null, number | null]): { above?: string; least?: string } | null {
  if (alpha === null || beta === null || alpha >= beta || (alpha < alpha / 2 + beta / 2 && alpha / 2 + beta / 2 < beta)) return null;
  return `${alpha}`.length <= `${beta}`.length ? { above: number(alpha) } : { least: number(beta) };
}

export function windowText(ends: [number | null, number | null]): string {
  const { above, least } = asked(ends) ?? {};
  if (above) return `(${above}, ${above}+ε)`;
  if (least) return `(${least}−ε, ${least})`;
  const [alpha, beta] = ends;
  return `[${alpha === null ? "−∞" : number(alpha)}, ${beta === null ? "+∞" : number(beta)}]`;
}

// leavesWithin reports whether the window of a root is that of all leaves, by which the search began, and no question.
const leavesWithin = ({ node: { alpha, beta }, parent }: Twig): boolean => !parent && alpha !== null && beta !== null && !asked([alpha, beta]);

const names: Record<Turn, string> = { first: "max", second: "min", chance: "chance" };

// place names a node by the moves that lead to it.
export function place(t: Twig): string {
  const moves: string[] = [];
  for (let at: Twig | null = t; at?.parent; at = at.parent) moves.unshift(at.node.move ?? "");
  return moves.length === 0 ? say("the root") : say("node moves", { moves: moves.join("–") });
}

// tell says a step in words.
export function tell(s: Step, by: Manner = "window"): string {
  const { twig, kind } = s;
  const n = twig.node;
  const at = place(twig);
  const odds = n.odds && number(n.odds);
  const value = n.value === null ? null : viewed(by, twig, n.value);
  const upper = viewed(by, twig, 1) < 0 ? "≥" : "≤"; // the bound that is one from above to who sees it
  const plain = value === null ? say("goes round") : n.bound === upper ? say("at most", { worth: number(value) }) : n.bound && n.bound !== "=" ? say("at least", { worth: number(value) }) : number(value);
  // What negamax hands on to the node above, where the other side moves.
  const parent = by === "mover" && value !== null && twig.parent;
  const turned = parent && parent.node.turn !== n.turn;
  const handed = parent ? say("handed on", { turned, above: place(parent), minus: number(turned ? -value! + 0 : value!) }) : "";
  const worth = by === "mover" ? say("worth to the mover", { worth: plain, handed }) : plain;
  switch (kind) {
    case "enter":
      return by === "mover" ? say("enter as the mover", { at, second: n.turn === "second" })
        : say("enter node", { at, odds, probe: n.kind === "probed", kind: names[n.turn], window: by === "window" && windowText([n.alpha, n.beta]), leaves: by === "window" && leavesWithin(twig), full: !(by === "window" && asked([n.alpha, n.beta])), above: "", least: "", ...(by === "window" && asked([n.alpha, n.beta])) });
    case "return":
      return n.kind === "unfinished" ? say("stop at node", { at })
        : say("return from node", { at, worth }) + (twig.partial ? " " + say("not all is recorded") : "");
    case "leaf":
      return say("look at leaf", { at, odds, worth });
    case "cut": {
      const parent = twig.parent;
      const bound = parent ? running(parent, twig.enter) : null;
      if (by === "mover" && bound !== null && parent) return say("cut as at least", { at, place: place(parent), bound: number(viewed(by, parent, bound)), beta: false, most: false, ceiling: number(viewed(by, parent, bound)) });
      const [alpha, beta] = parent ? [parent.node.alpha, parent.node.beta] : [null, null];
      const known = parent?.node.value ?? null;
      if (parent?.node.turn === "chance" && known !== null) {
        if (parent.node.bound === "≤" && alpha !== null) return say("cut at chance as at most", { at, place: place(parent), bound: number(known), alpha: number(alpha) });
        if (parent.node.bound === "≥" && beta !== null) return say("cut at chance as at least", { at, place: place(parent), bound: number(known), beta: number(beta) });
      }
      if (parent?.node.kind === "probed") return say("cut in a probe", { at });
      if (bound === null || !parent) return say("cut without need", { at });
      if (asked([alpha, beta])) return say("cut as asked", { at, place: place(parent), bound: number(bound), most: parent.node.turn === "second", window: windowText([alpha, beta]) });
      let root = parent; // whose window is the one that the search began with, and nobody's result
      while (root.parent) root = root.parent;
      const [least, most] = [root.node.alpha, root.node.beta];
      const everything = least === -1 && most === 1; // of all that a game can be worth
      const chance = parent.parent?.node.turn === "chance" && place(parent.parent); // which narrows the window by its odds
      if (chance) return parent.node.turn === "second" ? say("cut as at most under chance", { at, place: place(parent), bound: number(bound), alpha: number(alpha ?? -1), chance }) : say("cut as at least under chance", { at, place: place(parent), bound: number(bound), beta: number(beta ?? 1), chance });
      return parent.node.turn === "second"
        ? say("cut as at most", { at, place: place(parent), bound: number(bound), alpha: alpha !== null && alpha !== least && number(alpha), least: !everything && alpha !== null && alpha === least && number(alpha), floor: everything && alpha === least && number(-1) })
        : say("cut as at least", { at, place: place(parent), bound: number(bound), beta: beta !== null && beta !== most && number(beta), most: !everything && beta !== null && beta === most && number(beta), ceiling: everything && beta === most && number(1) });
    }
    case "memory":
      return n.kind === "remembered" ? say("is remembered", { at: capital(at), worth }) : n.kind === "repeated" ? say("is on the way", { at: capital(at) })
        : n.kind === "probed" ? say("glance at node", { at, worth }) : n.kind === "searched" ? `${say("return from node", { at, worth })} ${say("not all is recorded")}` : say("stop at node", { at });
  }
  return "";
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);

// Placed is a node with its place in the drawing.
export interface Placed { twig: Twig; x: number; y: number; shown: Placed[] }

// whole is the largest tree that is drawn whole. Of larger ones only the way to
// the current node and its branches are drawn.
export const whole = 130;

// opening is the step that a search is opened at: the first cut, where it can be seen
// what cutting saves, or the end where nothing is cut.
export function opening(w: Walk): number {
  const cut = w.steps.findIndex((s) => s.kind === "cut");
  return cut < 0 ? Math.max(0, w.steps.length - 1) : cut;
}

// arrange places the nodes to be drawn, in columns and rows: subtrees as close together as they have room, each
// other node above the middle of its children. A tree of simulations has the nodes that it has grown by then. The current
// one is at, and whether all are drawn is said too.
export function arrange(w: Walk, step: number): { root: Placed | null; at: Placed | null; width: number; height: number; all: boolean } {
  const current = w.steps[step]?.twig;
  let at: Placed | null = null;
  if (!current) return { root: null, at, width: 0, height: 0, all: true };
  const grown = (t: Twig): Twig[] => (w.by === "simulations" ? t.children.filter((c) => c.enter <= step && !(c.gone! <= step)) : t.children);
  const size = (t: Twig): number => grown(t).reduce((n, c) => n + size(c), 1);
  const all = (w.by === "simulations" ? size(w.roots[0]!) : w.size) <= whole;
  const path = new Set<Twig>();
  for (let t: Twig | null = current; t; t = t.parent) path.add(t);
  const top = w.roots.find((r) => path.has(r))!;
  const shift = (p: Placed, by: number): void => { p.x += by; p.shown.forEach((c) => shift(c, by)); };
  // put places a node at 0 and what is below it, and tells how far each row reaches to the left and to the right.
  const put = (t: Twig): { placed: Placed; left: number[]; right: number[] } => {
    const shown: Placed[] = [], left: number[] = [], right: number[] = [];
    for (const c of all || path.has(t) ? grown(t) : []) {
      const below = put(c);
      const apart = t.node.turn === "chance" ? 2 : 1; // there moves have their odds beside them
      const by = Math.max(shown.length > 0 ? -Infinity : 0, ...below.left.map((x, row) => (right[row] ?? -Infinity) + apart - x));
      shift(below.placed, by);
      below.left.forEach((x, row) => { left[row] ??= x + by; });
      below.right.forEach((x, row) => { right[row] = x + by; });
      shown.push(below.placed);
    }
    const x = shown.length > 0 ? (shown[0]!.x + shown.at(-1)!.x) / 2 : 0;
    const placed = { twig: t, x, y: t.depth, shown };
    if (t === current) at = placed;
    return { placed, left: [x, ...left], right: [x, ...right] };
  };
  const { placed: root, left, right } = put(top);
  shift(root, -Math.min(...left));
  return { root, at, width: Math.max(...right) - Math.min(...left) + 1, height: left.length, all };
}
