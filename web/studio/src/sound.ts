// Short sounds for what happens on a board. They are silent where the page's switch for
// sound and motion is off, or the system wants less motion.

export type Sound = "move" | "won" | "lost" | "drawn";

// tunes are the pitches of a sound in hertz, one after another.
const tunes: Record<Sound, number[]> = { move: [520], won: [523, 659, 784, 1047], lost: [392, 311], drawn: [440, 440] };

let out: AudioContext | null = null;

// quiet reports whether motion and sound are not wanted.
export const quiet = (): boolean => "still" in document.documentElement.dataset || matchMedia("(prefers-reduced-motion: reduce)").matches;

// opening is after how many milliseconds the device for sound is opened, which takes longer than a frame: when what
// the first press moves has come to rest.
const opening = 800;

// sound plays a tune. Browsers allow it once a person has touched the page. The first move of all is silent.
export function sound(what: Sound): void {
  if (quiet() || !navigator.userActivation?.hasBeenActive) return;
  if (!out && what === "move") setTimeout(() => (out ??= new AudioContext()), opening);
  else play(tunes[what], what === "move" ? 0.05 : 0.12);
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
