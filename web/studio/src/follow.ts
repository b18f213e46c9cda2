// Following something on the server as it goes on.
import { gone, message, silence } from "./api";

// again is how long after a lost stream, or a question that nobody answered, the
// next one is tried.
export const again = 1500;

// events are those of all streams.
const events = ["open", "alive", "session", "points", "job"];

// Following is how something is followed. The first question is an ordinary
// one, whose refusal has words; then comes a stream.
export interface Following<T> {
  ask: () => Promise<T>;
  take: (answer: T) => boolean; // reports whether there is more to come
  open: () => EventSource;
  lost: (reason: string, gone: boolean) => void; // with a reason where there is one; gone is what is not there
  missing: string; // the reason where it is not there
}

// follow follows it, also over a restart of the server, until there is no more
// to come or the function that it returns is called. What is not there is not
// asked for again.
export function follow<T>(f: Following<T>): () => void {
  let source: EventSource | null = null;
  let later = 0;
  let live = true;
  const lost = () => {
    clearTimeout(later);
    source?.close();
    f.lost("", false);
    retry();
  };
  const retry = () => {
    later = window.setTimeout(ask, again);
  };
  const heard = () => {
    clearTimeout(later);
    later = source?.readyState === EventSource.CLOSED ? 0 : window.setTimeout(lost, silence); // what is over is closed
  };
  const ask = () => f.ask().then(
    (answer) => {
      if (!live || !f.take(answer)) return;
      source = f.open();
      source.onerror = lost;
      events.forEach((e) => source!.addEventListener(e, heard));
      heard();
    },
    (e) => {
      if (!live) return;
      f.lost(gone(e) ? f.missing : message(e), gone(e));
      if (!gone(e)) retry();
    },
  );
  // A browser may keep a page that was left, with its stream: nobody is there.
  const hidden = () => {
    clearTimeout(later);
    source?.close();
  };
  const shown = (e: PageTransitionEvent) => e.persisted && ask();
  addEventListener("pagehide", hidden);
  addEventListener("pageshow", shown);
  ask();
  return () => {
    live = false;
    removeEventListener("pagehide", hidden);
    removeEventListener("pageshow", shown);
    hidden();
  };
}
