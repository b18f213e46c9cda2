// What stands in a game on the server in which this browser holds a seat.
import { gone, table, type Table } from "./api";
import { endSeat, type Held, heldSeat } from "./seats";
import { say } from "./text";
import { useLatest } from "./use";

// isAsked reports whether the other side has opened the next game.
export const isAsked = (t: Table): boolean => t.next !== undefined && !heldSeat(t.next);

// useHeld asks how a game stands, where that may have changed, and says so in a few words; nothing before it has answered.
export function useHeld(h: Held, changes: boolean): { t: Table | null; says: string } {
  const { data: t } = useLatest(`${changes} ${h.id}`, async () => {
    if (!changes) return null;
    const t = await table(h.id, h.key).catch((e) => {
      if (gone(e)) return null; // the server has it no more
      throw e;
    });
    if (!h.over && (t === null || t.state === "over")) endSeat(h.id, t?.moves.length === 0);
    return t;
  });
  return { t, says: t ? standing(t, h) : h.over ? say("finished") : "" };
}

function standing(t: Table, h: Held): string {
  const them = h.seat === "first" ? t.second : t.first;
  if (t.state === "open") return say("not begun yet");
  if (t.state === "over") return isAsked(t) ? say("asks for another game", { name: them.name }) : say("finished");
  return say("against name", { name: them.name, yours: t.turn === h.seat });
}
