import assert from "node:assert/strict";
import test from "node:test";
import { count, say, show } from "../src/text";
import { lasting, number, squareOf } from "../src/words";

test("a number has at most three decimals and no negative zero", () => {
  assert.deepEqual([0, -0, -0.0001, 0.12345, -1, 2.5].map(number), ["0", "0", "0", "0.123", "−1", "2.5"]);
});

test("one is one, others are many", () => {
  assert.deepEqual([1, 0, 12_000].map((n) => say("n games", { n })), ["1 game", "0 games", "12,000 games"]);
  assert.deepEqual(count(1_234_567), "1,234,567");
});

test("a time is told in the unit that suits it", () => {
  assert.deepEqual([0, 89, 90, 5399, 5400, 172_799, 172_800].map(lasting), ["1 s", "89 s", "2 min", "90 min", "2 h", "48 h", "2 days"]);
});

test("a move goes to its last square", () => {
  assert.deepEqual(["a1", "x@b2", "a1-b3", "~c3"].map(squareOf), ["a1", "b2", "b3", "c3"]);
});

test("a message says its arguments, counts, and wraps its parts", () => {
  assert.equal(say("learner n games taught", { learner: "menace", n: 1 }), "menace, 1 game taught");
  const moved = { side: "X", move: "b2" };
  assert.deepEqual([say("side plays move live", { ...moved, ply: 3 }), say("side plays move live", { ...moved, ply: false })], ["X plays b2. The game goes on from move 3.", "X plays b2."]);
  assert.deepEqual([true, false].map((boxes) => say("it thinks of a move", { it: "It", boxes })), ["It shakes its box…", "It thinks…"]);
  assert.deepEqual(show("to let it learn", { a: (text) => `[${[text].flat().join("")}]` }).join(""), "To let it learn from thousands of games at once: [Learn].");
});

// The check of types fails where these are no errors.
export const refused = () => [
  // @ts-expect-error no such key
  say("no such text"),
  // @ts-expect-error an argument is missing
  say("learner n games taught", { learner: "menace" }),
  // @ts-expect-error what is counted is no number
  say("n games", { n: "two" }),
  // @ts-expect-error no argument of that name
  say("side wins", { seat: "X" }),
  // @ts-expect-error what a part depends on is missing
  say("it thinks of a move", { it: "It" }),
  // @ts-expect-error the part has nothing to wrap it
  show("to let it learn", {}),
];
