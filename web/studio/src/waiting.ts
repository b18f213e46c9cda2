// Moves of games on the server that it does not have yet. This browser keeps them, and sends them from every page.
import { useEffect, useRef, useState } from "preact/hooks";
import { away, busy, message, tableMove } from "./api";
import { untilOver, useAgain } from "./effect";
import { type Held, heldSeats } from "./held";
import { setItem, storedValue } from "./storage";
import { say } from "./text";

// Waiting is the move of a game that waits for the server; away says that the server has not answered to it.
export interface Waiting { move: string; ply: number; away: boolean; tries: number }

const item = (id: string): string => `oxo.waiting.${id}`;

// waitingOf is the move of a game that waits.
function waitingOf(id: string): Waiting | null {
  const w = storedValue(item(id)) as Waiting | null;
  return typeof w?.move === "string" && typeof w.ply === "number" ? { move: w.move, ply: w.ply, away: false, tries: 0 } : null;
}

const keepWaiting = (id: string, w: Waiting | null): void => setItem(item(id), w && JSON.stringify(w));

// useWaiting is the move of the game that is shown; who leaves before the server has it is asked.
export function useWaiting(id: string): [Waiting | null, (w: Waiting | null) => void] {
  const [waiting, set] = useState(() => waitingOf(id));
  useEffect(untilOver((signal) => {
    if (waiting?.away) addEventListener("beforeunload", (e) => e.preventDefault(), { signal });
  }), [waiting?.away]);
  return [waiting, (w) => {
    set(w);
    keepWaiting(id, w);
  }];
}

// resend is how often what waits is sent again, in milliseconds.
const resend = 3000;

// useSender sends what waits in other games than the one that is shown, whose page does so itself. It returns the
// first of those games, and what is to be said of its move: that it waits, or that the server has refused it.
export function useSender(shown: string): { held: Held; says: string } | null {
  const [first, set] = useState<{ held: Held; says: string } | null>(null);
  const refused = useRef<{ held: Held; says: string } | null>(null);
  useAgain(async (signal) => {
    if (refused.current?.held.id === shown) refused.current = null;
    let left: { held: Held; says: string } | null = null;
    for (const held of heldSeats()) {
      const w = held.id === shown ? null : waitingOf(held.id);
      if (!w) continue;
      if (held.over) {
        keepWaiting(held.id, null);
        refused.current = { held, says: say("move came too late", { move: w.move }) };
        continue;
      }
      await tableMove(held.id, held.key, w.move, w.ply).then(() => keepWaiting(held.id, null), (e) => {
        if (away(e) || busy(e)) return void (left ??= { held, says: say("move waits until the server answers", { waiting: w.move }) });
        keepWaiting(held.id, null);
        refused.current = { held, says: say("move was taken back", { move: w.move, why: message(e) }) };
      });
    }
    if (!signal.aborted) set(refused.current ?? left);
  }, resend, [shown]);
  return first;
}
