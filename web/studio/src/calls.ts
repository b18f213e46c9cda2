// What calls to a game on the server from another page: one's turn, an offer, somebody who has accepted, another game.
import { useEffect, useState } from "preact/hooks";
import { type Table, tables } from "./api";
import { capital } from "./catalogue";
import { pause, untilOver } from "./effect";
import { endedLately, endSeat, type Held, heldSeats, howEnded, isAsked } from "./held";
import { say } from "./text";

// Call is what calls to a game that this browser has a seat in.
export interface Call { id: string; title: string; says: string }

// soon and later are how often it is asked what calls, in milliseconds: on a page that is seen, and on one that is not.
const [soon, later] = [8000, 60_000];

// most is of how many games that go on it is asked.
const most = 6;

// callOf is what calls to a game, "" for nothing; list has the game that follows it.
function callOf(t: Table, h: Held, list: Table[]): string {
  const them = h.seat === "first" ? t.second : t.first;
  if (t.state === "over") return isAsked(t) && list.some((n) => n.id === t.next && n.state === "open") ? say("asks for another game", { name: them.name }) : "";
  if (t.state !== "playing") return "";
  if ([t.draw_offer, t.takeback_offer].some((by) => by && by !== h.seat)) return say("an offer waits");
  return t.turn === h.seat ? say("it is your turn") : h.begun || t.ply > 0 ? "" : say("name has accepted", { name: them.name });
}

async function calls(held: Held[]): Promise<Call[]> {
  const list = (await tables(held.map((h) => h.id))).sessions;
  return held.flatMap((h) => {
    const t = list.find((t) => t.id === h.id);
    if (t?.state === "over" && !h.over) endSeat(h.id, t.moves.length === 0, howEnded(t, h.seat));
    const says = t ? callOf(t, h, list) : "";
    return says ? [{ id: h.id, title: capital(h.title), says }] : [];
  });
}

// useCalls is what calls to other games than the one that is shown. A page that is seen again asks at once.
export function useCalls(shown: string): Call[] {
  const [list, set] = useState<Call[]>([]);
  useEffect(untilOver(async (signal) => {
    while (!signal.aborted) {
      const held = [...heldSeats().filter((h) => !h.over).slice(0, most), ...endedLately()].filter((h) => h.id !== shown);
      const found = held.length > 0 ? await calls(held).catch(() => null) : [];
      if (found && !signal.aborted) set(found);
      const seen = new Promise((done) => document.addEventListener("visibilitychange", done, { once: true, signal }));
      await (document.hidden ? Promise.race([pause(later), seen]) : pause(soon));
    }
  }), [shown]);
  return list.filter((c) => c.id !== shown);
}
