// Boards of several levels: side by side, or stacked in space and turned by
// hand.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

interface Props { flat: boolean; layers: ComponentChildren[]; cols: number; rows: number }

const layerNames = (i: number): string => (i < 26 ? String.fromCharCode(97 + i) : String(i + 1));

export function Space({ flat, layers, cols, rows }: Props) {
  const [turn, setTurn] = useState(-28);
  const [tilt, setTilt] = useState(64);
  const drag = useRef<{ x: number; y: number; turn: number; tilt: number } | null>(null);
  if (flat) {
    return (
      <div class="layers">
        {layers.map((l, i) => (
          <div class="layer" key={i}>
            <p class="layer-name">Level {layerNames(i)}</p>
            {l}
          </div>
        ))}
      </div>
    );
  }
  const begin = (e: PointerEvent) => {
    if ((e.target as Element).closest("button")) return;
    drag.current = { x: e.clientX, y: e.clientY, turn, tilt };
    (e.currentTarget as Element).setPointerCapture(e.pointerId);
  };
  const moved = (e: PointerEvent) => {
    const d = drag.current;
    if (!d) return;
    setTurn(clamp(d.turn + (e.clientX - d.x) / 2, -180, 180));
    setTilt(clamp(d.tilt - (e.clientY - d.y) / 2, 0, 85));
  };
  const end = () => (drag.current = null);
  const middle = (layers.length - 1) / 2;
  return (
    <div class="space">
      <div class="scene" onPointerDown={begin} onPointerMove={moved} onPointerUp={end} onPointerCancel={end}
        style={{ "--n": `${Math.max(cols, rows)}`, "--levels": `${layers.length}` }}>
        <div class="stack" style={{ transform: `rotateX(${tilt}deg) rotateZ(${turn}deg)` }}>
          {layers.map((l, i) => (
            <div class="sheet" key={i} style={{ transform: `translateZ(calc(var(--rise) * ${middle - i}))` }}>
              {l}
              <span class="level-letter" aria-hidden="true" style={{ transform: `rotateZ(${-turn}deg) rotateX(${-tilt}deg)` }}>{layerNames(i)}</span>
            </div>
          ))}
        </div>
      </div>
      <div class="turners">
        <label>Turn <input type="range" min="-180" max="180" value={turn} onInput={(e) => setTurn(Number(e.currentTarget.value))} /></label>
        <label>Tilt <input type="range" min="0" max="85" value={tilt} onInput={(e) => setTilt(Number(e.currentTarget.value))} /></label>
      </div>
    </div>
  );
}

const clamp = (v: number, lo: number, hi: number): number => Math.max(lo, Math.min(hi, v));
