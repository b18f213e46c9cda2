import assert from "node:assert/strict";
import test from "node:test";
import type { Trace, TraceNode } from "../src/api";
import { arrange, opening, running, tell, walk, windowAt } from "../src/trace";

const leaf = (move: string, value: number, kind: TraceNode["kind"] = "leaf"): TraceNode =>
  ({ move, position: "", turn: "first", kind, alpha: null, beta: null, value });

// The textbook's three-ply figure in small: max over two min nodes, of the second
// of which one leaf is cut.
const trace: Trace = {
  game: "tree", nodes: 6, omitted: 0,
  passes: [{
    position: "", turn: "first", kind: "searched", alpha: null, beta: null, value: 3,
    children: [
      { move: "a", position: "", turn: "second", kind: "searched", alpha: null, beta: null, value: 3, children: [leaf("l", 3), leaf("r", 5)] },
      { move: "b", position: "", turn: "second", kind: "searched", alpha: 3, beta: null, value: 2, children: [leaf("l", 2), leaf("r", 0, "cut")] },
    ],
  }],
};

test("each inner node is entered and left, each other is one step", () => {
  const w = walk(trace);
  assert.equal(w.size, 7);
  assert.deepEqual(w.steps.map((s) => s.kind), ["enter", "enter", "leaf", "leaf", "return", "enter", "leaf", "cut", "return", "return"]);
  for (const s of w.steps) assert.ok(s.twig.enter <= s.twig.done);
});

test("an open node is worth the best of what is done, and its window narrows", () => {
  const w = walk(trace);
  const root = w.roots[0]!;
  assert.equal(running(root, 3), null);
  assert.equal(running(root, 4), 3);
  assert.equal(running(root, w.steps.length - 1), 3);
  assert.deepEqual(windowAt(root, 3), [null, null]);
  assert.deepEqual(windowAt(root, 4), [3, null]);
});

test("only a search with a window speaks of one, and negamax has the mover's view", () => {
  const told = (algorithm: string, i: number) => { const w = walk(trace, algorithm); return tell(w.steps[i]!, w.by); };
  assert.equal(told("alphabeta", 1), "Enter node a, a min node, with window [−∞, +∞].");
  assert.equal(told("minimax", 1), "Enter node a, a min node.");
  assert.equal(told("negamax", 1), "Enter node a: the second side takes the greatest −v of its moves.");
  assert.equal(told("negamax", 4), "Return from node a: its value is v = −3 for the player to move, −v = 3 at the root.");
});

test("a null window is a question, and whichever end is written shorter is what it asks about", () => {
  const asking = (alpha: number, beta: number) => { const w = walk({ ...trace, passes: [{ ...trace.passes![0]!, alpha, beta }] }, "mtdf"); return tell(w.steps[0]!, w.by); };
  assert.equal(asking(3, 3.0000000000000004), "Enter the root, a max node, with window (3, 3+ε), a null window: is its value greater than 3?");
  assert.equal(asking(2.9999999999999996, 3), "Enter the root, a max node, with window (3−ε, 3), a null window: is its value at least 3?");
  assert.equal(asking(-5e-324, 0), "Enter the root, a max node, with window (0−ε, 0), a null window: is its value at least 0?");
  assert.equal(asking(-1, 1), "Enter the root, a max node, with window [−1, 1]: no leaf has a value outside it.");
});

test("of a search that is recorded in part, it is said where branches are missing", () => {
  const w = walk({ ...trace, omitted: 5 }, "alphabeta");
  const missing = "Not all below it is recorded.";
  assert.deepEqual(w.steps.map((s) => tell(s, w.by).includes(missing)), [false, false, false, false, false, false, false, false, true, true]);
});

test("a search opens at its first cut, and at its end where nothing is cut", () => {
  assert.equal(opening(walk(trace)), 7);
  assert.equal(opening(walk({ ...trace, passes: [{ ...trace.passes![0]!, children: [leaf("l", 1), leaf("r", 2)] }] })), 3);
});

test("a node stands above the middle of its children", () => {
  const { root } = arrange(walk(trace), 0);
  assert.ok(root);
  const check = (p: typeof root): void => {
    if (p.shown.length === 0) return;
    assert.equal(p.x, (p.shown[0]!.x + p.shown.at(-1)!.x) / 2);
    p.shown.forEach(check);
  };
  check(root);
});
