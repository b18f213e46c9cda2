import assert from "node:assert/strict";
import test from "node:test";
import { formatRoute, joinMoves, parseRoute, shortenName, splitMoves } from "../src/link";

test("an address is read as it was written", () => {
  const queries: Record<string, string>[] = [
    {},
    { game: "mnk:7,6,4+gravity" },
    { game: "file:my game", position: "x.o/.x./..o x", moves: "a1,b2" },
    { name: "50 % & more = less?", at: "#/play" },
  ];
  for (const query of queries) {
    const address = formatRoute({ page: "explore", query });
    assert.deepEqual(parseRoute(address), { page: "explore", query }, address);
  }
});

test("what is harmless in a game stays readable", () => {
  assert.equal(formatRoute({ page: "play", query: { game: "cube:3,3", position: "x../.../... o" } }), "play?game=cube:3,3&position=x../.../...%20o");
});

test("an empty value is left out, an empty address is the first page", () => {
  assert.equal(formatRoute({ page: "play", query: { game: "" } }), "play");
  for (const address of ["", "/", "/oxo/", "#", "#/"]) assert.deepEqual(parseRoute(address), { page: "play", query: {} });
});

test("a damaged address gives its text, and no error", () => {
  assert.deepEqual(parseRoute("play?game=%E0%A4%A&x&=y&a=b=c"), { page: "play", query: { game: "%E0%A4%A", a: "b=c" } });
});

test("moves with commas and percent signs are kept apart", () => {
  for (const moves of [[], ["a1"], ["a1", "b2"], ["left, then right", "100%", "%2C"]]) {
    assert.deepEqual(splitMoves(joinMoves(moves)), moves);
  }
});

test("an address of old has all of it after #/", () => {
  assert.deepEqual(parseRoute("/#/play?game=ttt%2Bwild&moves=x@b2"), { page: "play", query: { game: "ttt+wild", moves: "x@b2" } });
  assert.deepEqual(parseRoute("/explore?game=qubic#/proofs"), { page: "proofs", query: {} });
});

test("what gives something to whoever knows it stands after #, which no server is told", () => {
  const route = { page: "online", query: { id: "a1", invite: "oxo_invite_X" } };
  assert.equal(formatRoute(route), "online?id=a1#invite=oxo_invite_X");
  assert.deepEqual(parseRoute("/oxo/online?id=a1#invite=oxo_invite_X"), route);
});

test("a game can be the page, with its signs", () => {
  assert.equal(parseRoute("/ttt+wild").page, "ttt+wild");
  assert.equal(parseRoute("/mnk:7,6,4%2Bgravity").page, "mnk:7,6,4+gravity");
});

test("a plus sign in a game's place is one, and a blank elsewhere", () => {
  for (const game of ["ttt+misere", "ttt%2Bmisere"]) assert.deepEqual(parseRoute(`play?game=${game}&from=x../.../...+o`), { page: "play", query: { game: "ttt+misere", from: "x../.../... o" } });
  assert.equal(parseRoute("play?game=Connect%20Four").query.game, "Connect Four");
  assert.equal(parseRoute("#/play?game=ttt+misere+wild").query.game, "ttt+misere+wild");
});

test("a name from elsewhere has 40 characters that are seen", () => {
  for (const [name, want] of [["Ann B.", "Ann B."], ["a\u202eb\u200b", "ab"], [" \u200b\u2800\t", ""], ["a\u00a0b\u0000", "a b"], ["\u2764\ufe0f", "\u2764\ufe0f"],
    ["𝕎".repeat(40), "𝕎".repeat(40)], ["W".repeat(3000), "W".repeat(39) + "…"]] as const) assert.equal(shortenName(name), want);
});
