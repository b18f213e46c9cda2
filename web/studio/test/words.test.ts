import assert from "node:assert/strict";
import test from "node:test";
import { english } from "../src/english";
import { count, read, say, show } from "../src/text";
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
  assert.deepEqual([say("side plays move", { ...moved, ply: 3 }), say("side plays move", { ...moved, ply: false })], ["X plays b2. The game goes on from move 3.", "X plays b2."]);
  assert.deepEqual([true, false].map((boxes) => say("it thinks of a move", { it: "It", boxes })), ["It shakes its box…", "It thinks…"]);
  assert.deepEqual(show("to let it learn", { a: (text) => `[${[text].flat().join("")}]` }).join(""), "To let it learn from thousands of games at once: [Learn].");
});

test("features in rules have the names of the language", () => {
  const rules = [{ key: "brain.above", args: { feature: "fork × b2", low: "1" } }];
  const by = { "brain.above": "{feature} über {low}", "feature.fork": "Gabel" };
  assert.deepEqual(read<{ rules: string[] }>(JSON.stringify({ rules: ["?"], said: { rules } }), by).rules, ["Gabel × b2 über 1"]);
});

test("what the server says is said by its keys, where they are known", () => {
  const of = (key: string, args = {}) => ({ key, args });
  const answer = { standing: "?", hints: ["?", "?"], own: "from elsewhere", inner: "from there too", moves: [{ text: "?", said: { text: [of("v.about", { share: 52, n: 269297 })] } }], said: {
    standing: [of("wins.in", { side: "X", plies: of("plies", { n: 1200 }) }), of("by.end.sets", { sets: ["a1–c1", "a1–a3"] })],
    hints: [of("hint.three", { moves: "a1, b2, c3" }), of("hint.end", { side: "{side}" })], own: [of("no such key")],
    inner: [of("wins.in", { side: "X", plies: of("no such key") })] } };
  const { said: _, ...heard } = read<typeof answer>(JSON.stringify(answer), english);
  assert.deepEqual({ ...heard, moves: heard.moves[0]!.text }, { standing: "X wins in 1,200 moves, both sides counted. It completes a1–c1 and a1–a3.", own: "from elsewhere", inner: "from there too",
    hints: ["It is one of a1, b2, c3.", "{side} can end the game with this move."], moves: "has about 52\u00a0% by 269,297 positions" });
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
