// The steps of Monte Carlo tree search, simulation by simulation, and the numbers of the tree at each.
import type { Trace, TraceNode, Tried } from "./api";
import { say } from "./text";
import { type Count, place, type Step, type Twig, type Walk } from "./trace";
import { number } from "./words";

// walkSimulations lists the steps: each simulation selects its moves down the tree, adds a node, has a result and counts it on
// its path. In the end the tree has the numbers that the search reports, which later simulations may have changed.
export function walkSimulations(t: Trace): Walk {
  const steps: Step[] = [], roots: Twig[] = [];
  const all = t.simulations ?? { formula: "", explore: 0, half: 1, told: null, untold: 0 };
  const totals = new Map<Twig, { sum: number; weight: number }>();
  let size = 0;
  const add = (node: TraceNode, parent: Twig | null): Twig => {
    const twig: Twig = { node, parent, children: [], depth: parent ? parent.depth + 1 : 0, enter: steps.length, done: steps.length, partial: false, counts: [] };
    (parent ? parent.children : roots).push(twig);
    size++;
    return twig;
  };
  (all.told ?? []).forEach((simulation, i) => {
    const path: Twig[] = roots.slice(0, 1);
    const step = (kind: Step["kind"], twig: Twig) => steps.push({ twig, kind, run: { all, n: i + 1, simulation, path: [...path] } });
    simulation.path.forEach((selected, ply) => {
      step("select", path[ply]!);
      const next = child(path[ply]!, selected.move);
      if (next) path.push(next);
    });
    if (simulation.added) {
      const { position, turn, judged } = simulation.added, { move, odds } = simulation.path.at(-1) ?? {};
      const twig = add({ move, odds, position, turn, kind: simulation.ended === "over" ? "leaf" : "searched", alpha: null, beta: null, value: null }, path.at(-1) ?? null);
      totals.set(twig, judged === undefined ? { sum: 0, weight: 0 } : { sum: judged, weight: 1 });
      path.push(twig);
      step("expand", twig);
    }
    step("result", path.at(-1)!);
    for (const twig of path) {
      const total = totals.get(twig)!, before = twig.counts!.at(-1);
      total.sum += simulation.result;
      total.weight++;
      twig.counts!.push({ lo: null, hi: null, ...before, step: steps.length, visits: (before?.visits ?? 0) + 1, mean: total.sum / total.weight });
    }
    for (const { path: moves, lo, hi } of simulation.proven ?? []) {
      const twig = moves.reduce<Twig | undefined>((at, move) => at && child(at, move), roots[0]);
      if (twig) twig.counts!.push({ ...twig.counts!.at(-1)!, step: steps.length, lo, hi });
    }
    step("backup", path[0]!);
  });
  const reported = new Set<Twig>();
  const report = (node: TraceNode, parent: Twig | null) => {
    const twig = (parent ? child(parent, node.move!) : roots[0]) ?? add(node, parent);
    reported.add(twig);
    twig.counts!.push({ step: steps.length, visits: node.visits ?? 0, mean: node.mean ?? node.value ?? 0, lo: node.alpha, hi: node.beta });
    for (const c of node.children ?? []) report(c, twig);
  };
  for (const root of t.passes ?? []) report(root, null);
  for (const twig of totals.keys()) if (!reported.has(twig)) twig.gone = steps.length;
  if (roots[0]) steps.push({ twig: roots[0], kind: "final", run: { all, n: (all.told?.length ?? 0) + all.untold, path: [] } });
  return { roots, steps, size, by: "simulations" };
}

const child = (t: Twig, move: string): Twig | undefined => t.children.find((c) => c.node.move === move);

// countAt is what a node counts at a step, nothing before its first simulation has come back.
export const countAt = (t: Twig, step: number): Count | undefined => t.counts?.findLast((c) => c.step <= step);

// proven is the worth of a node where it is proven, and no mean.
export const proven = (c: Count | undefined): number | null => (c && c.lo !== null && c.lo === c.hi ? c.lo : null);

// tellSimulated says a step in words.
export function tellSimulated({ kind, twig, run }: Step, step: number): string {
  const { all, n, simulation, path } = run!;
  const at = place(twig);
  const count = countAt(twig, step);
  if (!simulation) {
    const worth = proven(count);
    return say("after all simulations", { n, mean: number(count?.mean ?? 0), proven: worth !== null && number(worth), untold: all.untold });
  }
  switch (kind) {
    case "select": {
      const { move, odds, tried = [] } = simulation.path[twig.depth]!;
      if (odds) return say("chance selects", { n, at, move, odds: number(odds) });
      const others = tried.filter((t) => t.move !== move && !t.ruled_out && t.score !== null).sort((a, b) => b.score! - a.score!);
      const { score = null } = tried.find((t) => t.move === move) ?? {};
      return score === null ? say("selection of a new move", { n, at, move })
        : say("selection by score", { n, at, move, formula: all.formula, score: number(score), next: others[0]?.move, less: number(others[0]?.score ?? 0) });
    }
    case "expand":
      return say("expansion", { n, at });
    case "result":
      return say("result of simulation", { n, at, result: number(simulation.result), playout: simulation.ended === "playout", judged: simulation.ended === "judged", over: simulation.ended === "over", proven: simulation.ended === "proven" });
  }
  const counted = path.map((t) => say("node counts", { at: place(t), visits: countAt(t, step)!.visits, mean: number(countAt(t, step)!.mean) })).join("; ");
  const known = (simulation.proven ?? []).map(({ path: moves, lo, hi }) => {
    const of = moves.length === 0 ? say("the root") : say("node moves", { moves: moves.join("–") });
    return lo === hi ? say("is proven", { of, worth: number(lo) }) : say("is proven between", { of, lo: number(lo), hi: number(hi) });
  }).join("; ");
  return say("backup", { n, counted, proven: known });
}

// scored is a move among those that a step compares, or that are below its node.
export interface Scored { move: string; selected: boolean; count: Count | undefined; tried?: Tried }

// compared lists the moves to show beside a step: of the node at which it selects, and else of the one above what it adds.
export function compared({ kind, twig, run }: Step, step: number): Scored[] {
  const { path } = run!;
  const of = kind === "expand" || kind === "result" ? twig.parent ?? twig : twig;
  const selection = run!.simulation?.path[of.depth];
  const on = (t: Twig) => path.includes(t) || (kind === "select" && selection?.move === t.node.move);
  const list: Scored[] = of.children.filter((c) => c.enter <= step && !(c.gone! <= step)).map((c) => ({ move: c.node.move!, selected: on(c), count: countAt(c, step), tried: kind === "select" ? selection?.tried?.find((t) => t.move === c.node.move) : undefined }));
  const added = kind === "select" && selection && !list.some((c) => c.move === selection.move);
  return added ? [...list, { move: selection.move, selected: true, count: undefined, tried: selection.tried?.find((t) => t.move === selection.move) }] : list;
}
