// What a page shows a class: a part of it on the whole screen, in large type, led by keys.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { untilOver } from "./effect";
import { Icon } from "./icons";
import { say } from "./text";

export interface Steps {
  step: number;
  end: number; // the last step
  to: (step: number) => void;
  pace: number; // milliseconds between steps that follow by themselves
  own: string; // where arrows do something else
  always?: boolean; // whether arrows lead elsewhere than on the whole screen too
}

export interface Stage<E extends HTMLElement> extends Pick<Steps, "step" | "end" | "to"> { at: { current: E | null }; can: boolean; full: boolean; toggle: () => void; playing: boolean; run: () => void; onKeyDown: (e: KeyboardEvent) => void }

// useStage shows an element on the whole screen, where the browser can, and takes the keys that lead through its steps:
// arrows, Home, End and Space, and what the remotes of presenters send.
export function useStage<E extends HTMLElement>({ step, end, to, pace, own, always }: Steps): Stage<E> {
  const at = useRef<E>(null);
  const [full, setFull] = useState(false);
  const [playing, setPlaying] = useState(false);
  useEffect(untilOver((signal) => document.addEventListener("fullscreenchange", () => setFull(document.fullscreenElement !== null && document.fullscreenElement === at.current), { signal })), []);
  useEffect(() => {
    if (!playing) return;
    if (step >= end) return setPlaying(false);
    const timer = setTimeout(() => to(step + 1), pace);
    return () => clearTimeout(timer);
  }, [playing, step]);
  const run = () => {
    if (!playing && step === end) to(0);
    setPlaying(!playing);
  };
  const toggle = () => void (full ? document.exitFullscreen() : at.current?.requestFullscreen())?.catch(() => {}); // refused: all stays as it is
  const onKeyDown = (e: KeyboardEvent) => {
    const on = e.target as Element;
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || on.closest("dialog")) return;
    const by = (n: number) => to(Math.max(0, Math.min(end, step + n)));
    if (full && (e.key === "PageDown" || e.key === "PageUp")) by(e.key === "PageDown" ? 1 : -1);
    else if (full && e.key === "Escape") toggle(); // where the browser does not
    else if (on.closest(own) || !(full || always)) return;
    else if (e.key === "ArrowRight") by(1);
    else if (e.key === "ArrowLeft") by(-1);
    else if (full && e.key === "Home") to(0);
    else if (full && e.key === "End") to(end);
    else if (full && e.key === " ") run();
    else return;
    e.preventDefault();
  };
  return { step, end, to, at, can: document.fullscreenEnabled ?? false, full, toggle, playing, run, onKeyDown };
}

// Leading is what leads through the steps of a stage; none says that it has none.
export const Leading = ({ of: { step, end, to, playing, run }, none, children }: { of: Stage<HTMLElement>; none?: boolean; children?: ComponentChildren }) => (
  <div class="row steps">
    <button type="button" class="icon" aria-label={say("to the first step")} disabled={step === 0} onClick={() => to(0)}><Icon name="start" /></button>
    <button type="button" class="icon" aria-label={say("one step back")} disabled={step === 0} onClick={() => to(step - 1)}><Icon name="back" /></button>
    <button type="button" onClick={run}>{playing ? say("pause") : say("run")}</button>
    <button type="button" class="icon" aria-label={say("one step on")} disabled={step === end} onClick={() => to(step + 1)}><Icon name="on" /></button>
    <button type="button" class="icon" aria-label={say("to the last step")} disabled={step === end} onClick={() => to(end)}><Icon name="end" /></button>
    {children}
    <span class="muted fixed">{none ? say("0 of 0") : say("n of all", { n: step + 1, all: end + 1 })}</span>
  </div>
);

// Present begins and ends to show something to a class.
export const Present = ({ of }: { of: Stage<HTMLElement> }) => of.can ? (
  <><button type="button" onClick={of.toggle}>{of.full ? say("leave") : say("present")}</button>{of.full && <span class="muted keys">{say("arrows")}</span>}</>
) : null;
