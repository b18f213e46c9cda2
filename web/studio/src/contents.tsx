// What long pages share: a table of contents, parts that fold, and the way back to the top.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { untilOver } from "./effect";
import { Icon } from "./icons";
import { formatRoute, type Route } from "./link";
import { say } from "./text";
import { usePrinted } from "./use";

// upright is a screen on which parts are folded at first.
const upright = globalThis.matchMedia?.("(max-width: 860px)");

// folded reports whether parts are folded at first here.
export const folded = (): boolean => upright?.matches ?? false;

// unfold opens a part, with those that it is in, and returns it.
function unfold(id: string): HTMLElement | null {
  const part = document.getElementById(id);
  for (let e = part?.closest("details"); e; e = e.parentElement?.closest("details")) e.open = true;
  return part;
}

// show unfolds a part and goes to it.
export function show(id: string) {
  const part = unfold(id);
  part?.scrollIntoView({ block: "start" });
  part?.focus({ preventScroll: true });
}

// usePart shows the part that an address names as soon as it is there. It is open before it is painted, so that nothing moves.
export function usePart(id: string | undefined, there: boolean) {
  useLayoutEffect(() => { if (id && there) unfold(id); }, [id, there]);
  useEffect(() => { if (id && there) show(id); }, [id, there]);
}

export interface Part { id: string; name: ComponentChildren }

// Contents lists the parts of a page; each is a link, at which the address opens too.
export function Contents({ page, query, parts }: Route & { parts: Part[] }) {
  return (
    <details class="card contents noprint" open={!folded()}>
      <summary>{say("contents")}</summary>
      <nav aria-label={say("contents")}>
        <ul>{parts.map((p) => <li key={p.id}><a href={formatRoute({ page, query: { ...query, part: p.id } })} onClick={() => show(p.id)}>{p.name}</a></li>)}</ul>
      </nav>
    </details>
  );
}

interface FoldProps { id: string; title: ComponentChildren; about?: string; fold?: "always" | "small" | "no"; level?: "h2" | "h3"; children: ComponentChildren }

// Fold is a card that can be folded, and is at first, on small screens or always; on paper all of it is seen.
export function Fold({ id, title, about, fold = "small", level: Heading = "h2", children }: FoldProps) {
  const printed = usePrinted();
  const [at] = useState(() => fold === "always" || (fold === "small" && folded()));
  return (
    <details class="card fold" id={id} tabIndex={-1} open={printed || !at}>
      <summary><Heading>{title}</Heading>{about && <span class="muted">{about}</span>}</summary>
      {children}
    </details>
  );
}

// ToTop leads back to the top of a page, once that is far away.
export function ToTop() {
  const [far, setFar] = useState(false);
  useEffect(untilOver((signal) => addEventListener("scroll", () => setFar(scrollY > innerHeight), { passive: true, signal })), []);
  const up = () => {
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  return far ? <button type="button" class="totop icon" aria-label={say("to the top")} title={say("to the top")} onClick={up}><Icon name="up" /></button> : null;
}
