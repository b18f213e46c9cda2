import assert from "node:assert/strict";
import test from "node:test";
import type { Info, Judgement, Known } from "../src/api";
import { bestPlay, told, turning } from "../src/mistake";

const info = { seats: ["X", "O"] } as Info;

// worths are what positions are known to be worth by the letters f, s and d, for first, second and a draw, and ? for not
// known.
const worth = (letter: string): Known => {
  const value = { f: 1, s: -1, d: 0 }[letter];
  return value === undefined ? { lo: -1, hi: 1 } : { lo: value, hi: value, value: { f: "first", s: "second", d: "draw" }[letter]! };
};

// judged are the moves between positions that are worth so much; a move that certainly gave something away says so, and
// one after which all is lost where that was not known.
const judged = (worths: string, turns = "fs"): Judgement[] => [...worths].slice(1).map((letter, i) => {
  const [before, after] = [worth(worths[i]!), worth(letter)];
  const turn = ({ f: "first", s: "second", c: "chance" } as const)[turns[i % turns.length]!]!;
  const known = before.value !== undefined && after.value !== undefined;
  const fell = (before.lo - after.lo) * (turn === "first" ? 1 : -1);
  const gave = turn !== "chance" && known && fell > 0;
  const loses = turn !== "chance" && !known && after.value === (turn === "first" ? "second" : "first");
  return { ply: i + 1, move: `m${i + 1}`, turn, before, after, certain: known || turn === "chance", gave, missed: false, better: [], line: [], says: "", why: gave ? "It gave." : loses ? "This loses." : "" };
});

// summary is what the server's review says of them.
const summary = (moves: Judgement[]): string => (moves.length === 0 ? "No move was made." : moves.some((j) => !j.certain) ? "Some could not be judged." : `${moves.some((j) => j.gave) ? "" : "No move gave anything away. "}Every move was judged for certain.`);

// of is what is said of a game to who plays first: its worths, how it ended, who gave it up, and whether only its end
// was looked at; also whether it was played against the top level, where it is told of best play.
function of(worths: string, how: "won" | "lost" | "", { resigned = "", part = false, turns = "fs", top = false } = {}): string {
  const moves = judged(worths, turns);
  const seat = how === "won" ? "second" : "first";
  const t = turning({ resigned }, info, moves, seat, how === "won", part ? undefined : { start: worth(worths[0]!), summary: summary(moves) });
  return [t.again && how !== "won" ? `${t.again}: ` : "", t.move ? `${t.move.move} ${t.why}` : told(t, "first", how), top ? ` ${bestPlay(t, "first", how, true, info)}` : ""].join("").trim();
}

test("what is said of a game does not contradict itself", () => {
  const start = "It was lost from the start: no move gave anything away, and there was nothing to save.";
  const table = [
    [of("sssss", "lost"), start],
    [of("s?sss", "lost"), "Some could not be judged."],
    [of("dddddss", "lost"), "5: m5 It gave."],
    [of("dddd", "lost", { resigned: "first" }), "4: With best play it was still a draw when you gave up."],
    [of("dddd", "lost", { resigned: "first:time" }), "4: With best play it was still a draw when the game ended."],
    [of("ddff", "lost", { resigned: "first" }), "4: You were winning."],
    [of("fsff", "lost", { resigned: "first:abandoned", part: true }), "4: You were winning."],
    [of("ddss", "lost", { resigned: "first" }), "1: After move 2, m2, at the latest, all was lost."],
    [of("????", "lost", { resigned: "first:time", part: true }), "The clock decided; whether the position was lost is not known."],
    [of("????", "lost", { resigned: "first:abandoned" }), "Leaving decided; whether the position was lost is not known."],
    [of("????", "won", { resigned: "second:time", part: true }), "The clock decided; whether the position was lost is not known."],
    [of("????", "won", { resigned: "second" }), "They gave up; whether the position was lost is not known."],
    [of("??ss", "lost", { resigned: "first:time" }), "1: After move 2, m2, at the latest, all was lost."],
    [of("????", "lost", { resigned: "first:illegal" }), "Some could not be judged."],
    [of("dddd", "lost", { resigned: "first", top: true }), "4: With best play it was still a draw when you gave up."],
    [of("ddff", "lost", { resigned: "first", top: true }), "4: You were winning. With best play this game is a draw."],
    [of("dddddss", "lost", { top: true }), "5: m5 It gave. With best play this game is a draw."],
    [of("sssd?", "lost", { resigned: "first", top: true }), "You gave up; whether the position was lost is not known. With best play O wins this game."],
    [of("dddd", "won", { resigned: "second" }), "With best play it was still a draw when the game ended."],
    [of("ddss", "won", { resigned: "second:time" }), "They were winning."],
    [of("ddff", "won", { resigned: "second" }), "m2 It gave."],
    [of("d", "won", { resigned: "second" }), "No move was made."],
    [of("dddd", "", { resigned: "both" }), "Nobody made a mistake: well played!"],
    [of("???sss", "lost"), "3: m3 This loses."],
    [of("?????ss", "lost"), "5: m5 This loses."],
    [of("??sss", "lost"), "1: After move 2, m2, at the latest, all was lost."],
    [of("ssss", "lost", { part: true }), "1: After move 1, m1, at the latest, all was lost."],
    [of("??", "lost", { resigned: "first" }), "You gave up; whether the position was lost is not known."],
    [of("dddds", "lost", { turns: "fc" }), "3: You gave nothing away: chance decided."],
    [of("fdds", "lost", { turns: "fc" }), "1: m1 It gave."],
    [of("dddd", ""), "Nobody made a mistake: well played!"],
    [of("ssdd", ""), "It was lost from the start, and the other side let it slip: you gave nothing away."],
    [of("ddfdd", ""), "3: m3 It gave."],
    [of("d?d", ""), "Some could not be judged."],
    [of("???", "", { part: true }), "In the last 2 moves no mistake of yours is known for certain. 2 of them could not be judged."],
    [of("ffff", "won"), "Well played: from the first move to the last you gave nothing away."],
    [of("ddddff", "won"), "m4 It gave."],
    [of("ddff", "won"), "m2 It gave."],
    [of("?fff", "won"), "Some could not be judged."],
    [of("?fff", "won", { part: true }), "In the last 3 moves no mistake of theirs is known for certain. 1 of them could not be judged."],
  ];
  assert.deepEqual(table.map(([got]) => got), table.map(([, want]) => want));
});
