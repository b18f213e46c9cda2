// The title of the page: that what its address names is not there, else what it shows, else its name; before it what
// waits for who has gone to another page meanwhile.
import { useEffect } from "preact/hooks";
import { say } from "./text";

const titles = { missing: "", waits: "", subject: "", page: "" };
const show = () => {
  const name = titles.missing || titles.subject || titles.page;
  document.title = titles.waits ? say("what waits and name", { waits: titles.waits, name }) : say("name oxo", { name });
};

// useTitle has the title say what, as long as that is not empty and the component is there.
export function useTitle(as: keyof typeof titles, what: string) {
  useEffect(() => {
    if (!what) return;
    titles[as] = what;
    show();
    return () => {
      titles[as] = "";
      show();
    };
  }, [what]);
}

// noGame is the title where a request was refused for its game, which is of that spec.
export const noGame = (refused: { field: string }, spec: string): string => (/(^|\.)game$/.test(refused.field) ? say("no such game", { game: spec }) : "");

// notFound is the title where a thing of that kind is gone.
export const notFound = (gone: boolean, kind: string): string => (gone ? say("kind not found", { kind }) : "");
