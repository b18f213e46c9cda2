// A position or a matchbox, drawn small.
import type { Info } from "./api";
import { levelsOf } from "./board";
import { Sign } from "./pieces";
import { marks } from "./words";

interface Props { info: Info; position: string; kind?: "matchbox" | ""; beads?: Map<string, number>; total?: number; used?: boolean; drew?: string; label: string }

// Small is a position or a box, drawn small; where it can't be, a box is told in words.
export function Small({ info, position, kind = "matchbox", beads, total = 1, used = false, drew = "", label }: Props) {
  const squares = info.squares ?? [];
  if (squares.length === 0 || levelsOf(squares).length > 1) return kind ? <span class="break">{label}</span> : null;
  const signs = marks(position);
  return (
    <div class={`mini ${kind} ${used ? "in-use" : ""} ${total === 0 ? "empty" : ""}`} role="img" aria-label={label}>
      {squares.map((s, i) => {
        const n = beads?.get(s.name);
        const full = n === undefined || total === 0 ? 0 : Math.min(4, Math.ceil((4 * n) / total));
        return (
          <span key={i} class={n === undefined ? "" : `beads b${full} ${drew && drew === s.name ? "drawn" : ""}`} style={{ gridColumn: `${s.col + 1}`, gridRow: `${s.row + 1}` }}>
            {n === undefined ? <Sign mark={signs[i] ?? "."} /> : n}
          </span>
        );
      })}
    </div>
  );
}
