// The drawing of a game that is a tree, with the path that was played.
import { useMemo } from "preact/hooks";
import { type At, search } from "./api";
import { say } from "./text";
import { arrange, type Placed, type Twig, walk } from "./trace";
import { ends, shape } from "./treeview";
import { useLatest } from "./use";
import { number } from "./words";

const up = 18, gapY = 78; // half a node, and from ply to ply

interface Props { at: At; chance: boolean; path: string[] }

// GameTree draws the whole tree from a position on, unless it is too large to be read; of values it has those of the
// leaves alone, as the others are what the players are to find out.
export function GameTree({ at, chance, path }: Props) {
  const asked = useLatest(JSON.stringify(at), async (signal) => {
    const { trace } = await search(at, { algorithm: chance ? "expectiminimax" : "minimax", depth: 0, memo: "none", symmetry: "none", trace: true }, signal);
    return trace && trace.omitted === 0 ? walk(trace, "minimax") : null;
  });
  const tree = useMemo(() => asked.data && arrange(asked.data, 0), [asked.data]);
  if (asked.error || (asked.current && !tree?.all)) return null;
  const gapX = chance ? 60 : 44;
  const nodes: preact.JSX.Element[] = [], lines: preact.JSX.Element[] = [];
  const draw = (p: Placed, above: [number, number] | null, on: boolean) => {
    const t: Twig = p.twig;
    const x = (p.x + 0.5) * gapX, y = p.y * gapY + 2 * up;
    if (above) {
      const [ux, uy] = above;
      lines.push(<line key={"l" + t.enter} class={on ? "edge played" : "edge"} style={on ? { stroke: "var(--accent)", strokeWidth: 3 } : {}} x1={ux} y1={uy + up} x2={x} y2={y - up} />);
      lines.push(<text key={"m" + t.enter} class="edge-name" x={x + (ux - x) * 0.5} y={y - up + (uy - y + 2 * up) * 0.5}>{t.node.odds ? say("move by chance", { move: t.node.move!, odds: number(t.node.odds) }) : t.node.move}</text>);
    }
    nodes.push(
      <g key={"n" + t.enter} class={`node ${on ? (p.y === path.length ? "current" : "open") : "done"}`}>
        {shape(t, x, y)}
        {ends(t) && <text class="value" x={x} y={y + 4}>{number(t.node.value ?? 0)}</text>}
      </g>,
    );
    p.shown.forEach((c) => draw(c, [x, y], on && c.twig.node.move === path[p.y]));
  };
  if (tree?.root) draw(tree.root, null, true);
  const [width, height] = tree ? [tree.width * gapX, (tree.height - 1) * gapY + 4 * up] : [0, 0];
  return (
    <div class="treebox whole" tabIndex={0} role="region" aria-label={say("a tree")}>
      {tree && <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" style={{ minWidth: `${0.6 * width}px`, maxWidth: `${1.3 * width}px` }}>{lines}{nodes}</svg>}
    </div>
  );
}
