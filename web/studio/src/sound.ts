// Short sounds for what happens on a board. They are silent where the page's switch for
// sound and motion is off, or the system wants less motion.

export type Sound = "move" | "won" | "lost" | "drawn";

// tunes are the pitches of a sound in hertz, one after another.
const tunes: Record<Sound, number[]> = { move: [520], won: [523, 659, 784, 1047], lost: [392, 311], drawn: [440, 440] };

let out: AudioContext | null = null;

// quiet reports whether motion and sound are not wanted.
export const quiet = (): boolean => "still" in document.documentElement.dataset || matchMedia("(prefers-reduced-motion: reduce)").matches;

// sound plays a tune once what was pressed is seen: to open a device for sound takes longer than a frame. Browsers
// allow it once a person has touched the page.
export function sound(what: Sound): void {
  if (!quiet() && navigator.userActivation?.hasBeenActive) requestAnimationFrame(() => setTimeout(() => play(tunes[what], what === "move" ? 0.05 : 0.12)));
}

// play plays pitches one after another, each so many seconds long.
function play(pitches: number[], each: number): void {
  out ??= new AudioContext();
  pitches.forEach((pitch, i) => {
    const tone = out!.createOscillator();
    const loud = out!.createGain();
    const from = out!.currentTime + i * each;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.07, from);
    loud.gain.exponentialRampToValueAtTime(0.001, from + each * 1.6);
    tone.connect(loud).connect(out!.destination);
    tone.start(from);
    tone.stop(from + each * 1.7);
  });
}
