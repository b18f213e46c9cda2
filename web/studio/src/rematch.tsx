// Another game with the same other side, once one on the server is over.
import { useEffect, useRef, useState } from "preact/hooks";
import { acceptTable, conflicts, declineTable, type Info, message, type Opened, openTable, type SeatView, type Table, table, tableAfter, tableDo, type Turn } from "./api";
import { headingOf } from "./catalogue";
import { useAgain, useEvery } from "./effect";
import { endSeat, type Held, heldSeats, holdSeat, howEnded, isAsked, isWithdrawn, scoreOf } from "./held";
import { formatRoute, go } from "./link";
import { useTable } from "./live";
import { say } from "./text";
import { other } from "./words";

// asking is how often a finished game is asked whether the other side wants another, and
// asked how many times.
const [asking, asked] = [3000, 200];

// Next is what follows a game that is over: asks is the game that the other side has opened, "" for none, mine the latest
// one that this browser has a seat in, and says what is told of either.
interface Next { asks: string; mine: Held | undefined; says: string; drop: () => void; look: () => void }

// useNext asks what follows a game for who has a seat there.
export function useNext(t: Table, seat: string, secret: string, onSeen: (t: Table) => void): Next {
  const [opened, see] = useState("");
  const [gone, setGone] = useState("");
  const [, look] = useState(0);
  const them = seat === "first" ? t.second : t.first;
  const follows = t.state === "over" && seat !== "" && them.taken && !them.bot;
  const left = useRef(asked);
  useAgain(async (signal) => {
    if (!follows) return false;
    const of = await tableAfter(t.id, secret).catch(() => null);
    const next = of && isAsked(of) ? await table(of.next!, secret).catch(() => null) : null;
    if (signal.aborted) return false;
    if (of) {
      onSeen(of);
      see(next?.state === "open" ? next.id : "");
    }
    return left.current-- > 0;
  }, asking, [follows]);
  const asks = follows && opened !== gone ? opened : "";
  const mine = follows ? heldSeats().find((h) => h.after === t.id) : undefined;
  const says = asks ? say("name asks for another game", { name: them.name }) : mine && !mine.over ? say("rematch offer sent", { name: them.name }) : mine?.ended?.how === "declined" ? say("the invitation was declined") : "";
  return { asks, mine, says, drop: () => setGone(asks), look: () => look((n) => n + 1) };
}

interface AgainProps { t: Table; info: Info; me: SeatView; them: SeatView; seat: string; secret: string; next: Next; onError: (text: string) => void }

// NextOfTwo leads who has watched to the next game of the same two, once there is one.
export function NextOfTwo({ t, onSeen }: { t: Table; onSeen: (t: Table) => void }) {
  const [left, setLeft] = useState(asked);
  useEvery(asking, () => {
    setLeft(left - 1);
    table(t.id, "").then(onSeen, () => {});
  }, [left], !t.next && left > 0);
  return t.next ? <ToNext id={t.next} /> : null;
}

// Sent is an offer of another game, which is gone to once the other side accepts it.
function Sent({ h, says, onOver, onError }: { h: Held; says: string; onOver: () => void; onError: (text: string) => void }) {
  const live = useTable(h.id, h.key);
  const t = live.table;
  const waited = useRef(false);
  waited.current ||= t?.state === "open";
  const over = live.gone || t?.state === "over";
  useEffect(() => {
    if (t?.state === "playing" && waited.current) go({ page: "online", query: { id: h.id } });
    if (!over) return;
    endSeat(h.id, !t?.moves.length, t ? howEnded(t, h.seat) : { name: "", how: "withdrawn" });
    onOver();
  }, [t?.state, over]);
  if (t?.state === "playing") return <ToNext id={h.id} />;
  return (
    <>
      <span>{says}</span>
      <button type="button" onClick={() => tableDo(h.id, h.key, "abort").then(live.set, (e) => onError(message(e)))}>{say("withdraw it")}</button>
    </>
  );
}

const ToNext = ({ id }: { id: string }) => <a class="button primary" href={formatRoute({ page: "online", query: { id } })}>{say("to the next game")}</a>;

// Again offers another game with the sides swapped, or accepts the one that the other side offers.
export function Again({ t, info, me, them, seat, secret, next: n, onError }: AgainProps) {
  const { asks, mine } = n;
  const person = them.taken && !them.bot;
  const accept = (next: string) => acceptTable(next, secret, me.name);
  // Where both sides open the next game at once, the one that came second accepts the other's.
  const open = (): Promise<Opened> => openTable({ game: t.game, seat: other(seat as Turn), name: me.name, clock: t.clock, ...(t.start !== info.start ? { position: t.start } : {}), ...(them.bot ? { to: them.name } : person ? { after: t.id } : {}) }, secret).catch(async (e) => {
    const latest = conflicts(e) ? await table(t.id, secret) : t;
    if (!isAsked(latest)) throw e;
    return accept(latest.next!);
  });
  const begin = async (how: () => Promise<Opened>) => {
    try {
      const o = await how();
      holdSeat({ id: o.session.id, key: o.key ?? "", seat: o.seat, title: headingOf(t.game, info), invite: o.invite, when: Date.now(), score: scoreOf(t, seat), ...(person ? { after: t.id } : {}) });
      if (person && o.session.state === "open") n.look();
      else go({ page: "online", query: { id: o.session.id } });
    } catch (e) {
      n.drop();
      onError(message(e));
    }
  };
  if (asks) {
    return (
      <>
        <button type="button" class="primary" onClick={() => begin(() => accept(asks))}>{say("accept and play")}</button>
        <button type="button" onClick={() => { n.drop(); declineTable(asks, secret).catch((e) => onError(message(e))); }}>{say("not now")}</button>
        <span>{n.says}</span>
      </>
    );
  }
  if (isWithdrawn(t)) return null;
  if (mine && !mine.over) return <Sent key={mine.id} h={mine} says={n.says} onOver={n.look} onError={onError} />;
  const refused = mine?.empty && !mine.ended?.name;
  if (mine && !refused) return <ToNext id={mine.id} />;
  return <>{n.says && <span>{n.says}</span>}<button type="button" class="primary" onClick={() => begin(open)}>{say(n.says ? "ask again" : "new game sides swapped")}</button></>;
}
