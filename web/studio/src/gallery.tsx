// Games as pictures of their boards.
import { useEffect, useRef, useState } from "preact/hooks";
import { position } from "./api";
import { capital, known, type Offered, offered, shownOf } from "./catalogue";
import { BoardOf } from "./board";
import { levelOf } from "./level";
import { formatRoute } from "./link";
import { beaten } from "./shelf";
import { memo } from "./memo";
import { say } from "./text";
import { useLatest } from "./use";

// Picture draws a game's board after some moves, of an offered game those that show what
// it is. It asks for the position once it is in sight, or where paper has it too, soon.
export function Picture({ spec, start, moves, printed }: { spec: string; start?: string; moves?: string[]; printed?: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((list) => list.some((e) => e.isIntersecting) && setSeen(true));
    watch.observe(box.current!);
    const soon = printed ? setTimeout(() => setSeen(true), 5000) : 0; // after all that is in sight
    return () => {
      watch.disconnect();
      clearTimeout(soon);
    };
  }, []);
  const at = { game: spec, position: start ?? "", moves: moves ?? shownOf(spec) };
  const ready = seen && (moves !== undefined || known());
  const { data: p } = useLatest(ready ? JSON.stringify(at) : "", async () => (ready ? position(at) : null));
  return (
    <span class="picture" ref={box}>
      {p && (p.info.squares?.length ? <BoardOf still p={p} last={-1} legal={new Map()} label="" /> : <Branches />)}
    </span>
  );
}

// Branches stands for games without squares.
const Branches = () => (
  <svg class="branches" viewBox="0 0 100 80" aria-hidden="true">
    <path d="M50 12 22 42M50 12 78 42M22 42 10 70M22 42 34 70M78 42 66 70M78 42 90 70" />
    {[[50, 12], [22, 42], [78, 42], [10, 70], [34, 70], [66, 70], [90, 70]].map(([x, y]) => <circle cx={x} cy={y} r="7" key={`${x} ${y}`} />)}
  </svg>
);

interface Props { current: string; ready: boolean }

// most is how many games are shown at first.
const most = 9;

// Gallery shows the games that are offered: the well-known ones, or all by shelf.
export const Gallery = memo(({ current, ready }: Props) => {
  const [all, setAll] = useState(false);
  const shelves = ready ? offered() : [];
  const front = ready ? offered((o) => o.front === true && o.spec !== current).flatMap((s) => s.offers).slice(0, most) : [];
  const [won, setWon] = useState(beaten);
  useEffect(() => setWon(beaten()), [current, all]);
  const levelIn = (spec: string): number => Math.max(0, ...[...(won.get(spec) ?? [])].map(levelOf));
  const list = (offers: Offered[]) => (
    <ul class="gallery">
      {offers.map((o) => (
        <li key={o.spec}>
          <a href={formatRoute({ page: "play", query: { game: o.spec } })} aria-current={o.spec === current ? "true" : undefined}>
            <Picture spec={o.spec} />
            <span>{capital(o.name)}{levelIn(o.spec) > 0 && <><b class="beat" aria-hidden="true">✓{levelIn(o.spec)}</b><span class="unseen">, {say("beaten to level", { n: levelIn(o.spec) })}</span></>}</span>
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <section class="card worlds noprint" aria-label={say("other games")}>
      <div class="spread"><h2>{say("other worlds")}</h2><button type="button" aria-expanded={all} onClick={() => setAll(!all)}>{all ? say("fewer") : say("all games")}</button></div>
      {all ? shelves.map((s) => <div key={s.name}><h3>{s.name}</h3>{list(s.offers)}</div>) : list(front)}
    </section>
  );
});
