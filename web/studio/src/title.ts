// The title of the page: that what its address names is not there, else what it shows, else its name.
import { useEffect } from "preact/hooks";
import { say } from "./text";

const titles = { missing: "", subject: "", page: "" };
const show = () => { document.title = say("name oxo", { name: titles.missing || titles.subject || titles.page }); };

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
