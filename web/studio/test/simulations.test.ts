import assert from "node:assert/strict";
import test from "node:test";
import type { Trace, TraceNode } from "../src/api";
import { compared, countAt, proven, tellSimulated, walkSimulations } from "../src/simulations";
import { arrange, type Twig } from "../src/trace";

const node = (move: string, visits: number, mean: number, lo: number, hi: number, children: TraceNode[] = []): TraceNode =>
  ({ move, position: "", turn: "first", kind: children.length > 0 ? "searched" : "leaf", alpha: lo, beta: hi, value: lo === hi ? lo : mean, mean, visits, children });

// A tree of max over leaves 5, 14 and 2 below move a, which min makes, and an unknown move b.
const tried = (move: string, visits: number, mean: number, score: number | null, ruled_out?: boolean) => ({ move, visits, mean, score, ruled_out });
const added = { position: "", turn: "first" as const };
const trace: Trace = {
  game: "tree", nodes: 6, omitted: 0,
  passes: [{ ...node("", 6, 6, 2, 14, [node("a", 4, 7.25, 2, 2, [node("5", 1, 5, 5, 5), node("14", 1, 14, 14, 14), node("2", 1, 2, 2, 2)]), node("b", 1, 4, 0, 14)]), turn: "first" }],
  simulations: {
    formula: "UCT", explore: 1.41, half: 7, untold: 0,
    told: [
      { path: [], added, ended: "playout", result: 3 },
      { path: [{ move: "a", tried: [tried("a", 0, 0, null)] }], added: { ...added, turn: "second" }, ended: "playout", result: 8 },
      { path: [{ move: "b", tried: [tried("a", 1, 8, 2.32), tried("b", 0, 0, null)] }], added, ended: "playout", result: 4 },
      { path: [{ move: "a", tried: [tried("a", 1, 8, 2.62), tried("b", 1, 4, 2.05)] }, { move: "5", tried: [tried("5", 0, 0, null)] }], added, ended: "over", result: 5, proven: [{ path: ["a", "5"], lo: 5, hi: 5 }, { path: ["a"], lo: 0, hi: 5 }] },
      { path: [{ move: "a", tried: [tried("a", 2, 6.5, 2.1), tried("b", 1, 4, 2)] }, { move: "14", tried: [tried("5", 1, 5, null, true), tried("14", 0, 0, null)] }], added, ended: "over", result: 14, proven: [{ path: ["a", "14"], lo: 14, hi: 14 }] },
      { path: [{ move: "a", tried: [tried("a", 3, 9, 2.4), tried("b", 1, 4, 2.3)] }, { move: "2", tried: [tried("2", 0, 0, null)] }], added, ended: "over", result: 2, proven: [{ path: ["a", "2"], lo: 2, hi: 2 }, { path: ["a"], lo: 2, hi: 2 }, { path: [], lo: 2, hi: 14 }] },
    ],
  },
};

test("a simulation selects down the tree, adds a node, has a result and is backed up", () => {
  const w = walkSimulations(trace);
  assert.deepEqual(w.steps.slice(0, 12).map((s) => s.kind), ["expand", "result", "backup", "select", "expand", "result", "backup", "select", "expand", "result", "backup", "select"]);
  assert.equal(w.steps.at(-1)!.kind, "final");
  assert.equal(w.size, 6);
});

test("visits and means that follow from the results are those that the search reports, and what is proven is no mean", () => {
  const w = walkSimulations(trace);
  const end = w.steps.length - 1;
  const check = (t: Twig): void => {
    const { step: _, lo: __, hi: ___, ...replayed } = countAt(t, end - 1)!, { step: ____, lo: _____, hi: ______, ...reported } = countAt(t, end)!;
    assert.deepEqual(replayed, reported);
    assert.equal(proven(countAt(t, end - 1)), proven(countAt(t, end)));
    t.children.forEach(check);
  };
  check(w.roots[0]!);
  const a = w.roots[0]!.children[0]!;
  assert.equal(countAt(a, end)!.mean, 7.25);
  assert.equal(proven(countAt(a, end)), 2);
  assert.equal(proven(countAt(a, end - 2)), null); // before the last simulation came back
  assert.equal(countAt(a, 4), undefined); // it is added, and its simulation has no result yet
});

test("the tree grows, and the moves that are compared have their numbers and scores of then", () => {
  const w = walkSimulations(trace);
  const nodes = (step: number): number => { const count = (p: { shown: { shown: [] }[] } | null): number => (p ? 1 + p.shown.reduce((n, c) => n + count(c), 0) : 0); return count(arrange(w, step).root as never); };
  assert.deepEqual([0, 3, 4, 8, w.steps.length - 1].map(nodes), [1, 1, 2, 3, 6]);
  assert.deepEqual(compared(w.steps[7]!, 7).map((c) => [c.move, c.count?.visits, c.selected, c.tried?.score]), [["a", 1, false, 2.32], ["b", undefined, true, null]]);
  assert.deepEqual(compared(w.steps[6]!, 6).map((c) => [c.move, c.count?.visits, c.selected]), [["a", 1, true]]);
});

test("steps say why a move is selected, what came of it and what is proven", () => {
  const w = walkSimulations(trace);
  const told = w.steps.map((s, i) => tellSimulated(s, i));
  assert.equal(told[0], "Simulation 1, expansion: the root is added to the tree.");
  assert.equal(told[1], "Simulation 1: played out at random from the root. Result 3.");
  assert.equal(told[6], "Simulation 2, backup of the result: the root 2×, mean 5.5; node a 1×, mean 8.");
  assert.equal(told[7], "Simulation 3, selection at the root: b is new, and new moves come first.");
  assert.equal(told[11], "Simulation 4, selection at the root: a has the greatest UCT score, 2.62, before b with 2.05.");
  assert.equal(told.at(-2), "Simulation 6, backup of the result: the root 6×, mean 6; node a 4×, mean 7.25; node a–2 1×, mean 2. Proven now: node a–2 = 2; node a = 2; the root from 2 to 14.");
  assert.equal(told.at(-1), "After 6 simulations the root has mean 6.");
});

test("of simulations that are not told, the last step has what came of them", () => {
  const w = walkSimulations({ ...trace, passes: [node("", 9, 4, 0, 14, [node("b", 4, 5, 0, 14)])], simulations: { ...trace.simulations!, untold: 3 } });
  const end = w.steps.length - 1;
  assert.equal(tellSimulated(w.steps[end]!, end), "After 9 simulations the root has mean 4. The last 3 are not told step by step.");
  assert.deepEqual(compared(w.steps[end]!, end).map((c) => c.move), ["b"]); // of the others no numbers are known
});
