// The title of the page: that what its address names is not there, else what it shows, else its name; before it what
// waits for who has gone to another page meanwhile.
import { useEffect } from "preact/hooks";
import { say } from "./text";

// titles are what components have the title say; the one that came last is heard.
const titles = { missing: [] as string[], waits: [] as string[], subject: [] as string[], page: [] as string[] };
const show = () => {
  const [missing, waits, subject, page] = [titles.missing, titles.waits, titles.subject, titles.page].map((said) => said.at(-1) ?? "");
  const name = missing || subject || page!;
  document.title = waits ? say("what waits and name", { waits, name }) : say("name oxo", { name });
};

// useTitle has the title say what, as long as that is not empty and the component is there.
export function useTitle(as: keyof typeof titles, what: string) {
  useEffect(() => {
    if (!what) return;
    titles[as].push(what);
    show();
    return () => {
      titles[as].splice(titles[as].lastIndexOf(what), 1);
      show();
    };
  }, [what]);
}

// noGame is the title where a request was refused for its game, which is of that spec.
export const noGame = (refused: { field: string }, spec: string): string => (/(^|\.)game$/.test(refused.field) ? say("no such game", { game: spec }) : "");

// notFound is the title where a thing of that kind is gone.
export const notFound = (gone: boolean, kind: string): string => (gone ? say("kind not found", { kind }) : "");
