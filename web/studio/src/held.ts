// What stands in a game on the server in which this browser holds a seat.
import { gone, table, type Table } from "./api";
import { endSeat, type Held, heldSeat, heldSeats } from "./seats";
import { say } from "./text";
import { useState } from "preact/hooks";
import { useEvery } from "./effect";
import { useLatest } from "./use";

// isAsked reports whether the other side has opened the next game.
export const isAsked = (t: Table): boolean => t.next !== undefined && !heldSeat(t.next);

// lately is for how long after its beginning a game that is over may be asked to be followed by another, in milliseconds,
// and latest of how many games that is looked up at the start.
const lately = 86_400_000, latest = 3;

// endedLately are the latest games that this browser has seen to end.
export const endedLately = (): Held[] => heldSeats().filter((h) => h.over && Date.now() - h.when < lately).slice(0, latest);

// useAsked is the first of some games that are over whose other side asks for another, and by what name.
export function useAsked(list: Held[]): { h: Held; name: string } | null {
  return useLatest("asked " + list.map((h) => h.id).join(), async () => {
    for (const h of list) {
      const t = await table(h.id, h.key).catch(() => null);
      const next = t && isAsked(t) ? await table(t.next!, h.key).catch(() => null) : null;
      if (t && next?.state === "open") return { h, name: (h.seat === "first" ? t.second : t.first).name };
    }
    return null;
  }).data;
}

// anew is how often it is asked how a game stands, in milliseconds.
const anew = 4000;

// useHeld asks how a game stands, again and again, where that may have changed, and says so in a few words; nothing before it has answered.
export function useHeld(h: Held, changes: boolean): { t: Table | null; says: string } {
  const [turn, setTurn] = useState(0);
  useEvery(anew, () => document.hidden || setTurn((n) => n + 1), [], changes);
  const { data: t } = useLatest(`${changes} ${h.id} ${turn}`, async () => {
    if (!changes) return null;
    const t = await table(h.id, h.key).catch((e) => {
      if (gone(e)) return null; // the server has it no more
      throw e;
    });
    if (!h.over && (t === null || t.state === "over")) endSeat(h.id, t?.moves.length === 0, t ? howEnded(t, h.seat) : undefined);
    return t;
  });
  return { t, says: t ? standing(t, h) : h.over ? finished(h.ended, h.empty) : "" };
}

const themOf = (t: Table, seat: string) => (seat === "first" ? t.second : t.first);

// isDeclined reports whether a game is over as who was asked to play did not want to.
export const isDeclined = (t: Table): boolean => t.reason === `${t.maker === "first" ? "second" : "first"} declined`;

// howEnded is against whom a game was played, "" where nobody had come, and how it ended.
export function howEnded(t: Table, seat: string): Held["ended"] {
  const them = themOf(t, seat);
  if (!them.taken) return t.state === "over" ? { name: "", how: isDeclined(t) ? "declined" : "withdrawn" } : undefined;
  return { name: them.name, how: t.result === "*" ? "" : t.result === "draw" ? "draw" : t.result === seat ? "won" : "lost" };
}

const ways: Record<string, string> = { draw: say("a draw"), won: say("you won"), lost: say("you lost this one"), withdrawn: say("the invitation was withdrawn"), declined: say("the invitation was declined") };

const finished = (ended: Held["ended"], empty = false): string =>
  ended?.name === "" ? (ways[ended.how] ?? "").replace(/\.$/, "") : ended ? say("finished against", { name: ended.name, how: ways[ended.how] ?? "" }) : say(empty ? "the game was called off" : "finished");

function standing(t: Table, h: Held): string {
  const them = themOf(t, h.seat);
  if (t.state === "open") return say("not begun yet");
  if (t.state === "over") return isAsked(t) ? say("asks for another game", { name: them.name }) : finished(howEnded(t, h.seat), t.moves.length === 0);
  return say("against name", { name: them.name, yours: t.turn === h.seat });
}
