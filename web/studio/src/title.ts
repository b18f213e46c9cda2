// The title of the page: its name, or that what its address names is not there.
import { useEffect } from "preact/hooks";
import { say } from "./text";

let name = "", missing = "";
const show = () => { document.title = say("name oxo", { name: missing || name }); };

// useTitle names the page.
export function useTitle(page: string) {
  useEffect(() => {
    name = page;
    show();
  }, [page]);
}

// useMissing says in the title, as long as it is not empty, what is not there.
export function useMissing(what: string) {
  useEffect(() => {
    if (!what) return;
    missing = what;
    show();
    return () => {
      missing = "";
      show();
    };
  }, [what]);
}

// noGame is the title where a request was refused for its game, which is of that spec.
export const noGame = (refused: { field: string }, spec: string): string => (/(^|\.)game$/.test(refused.field) ? say("no such game", { game: spec }) : "");

// notFound is the title where a thing of that kind is gone.
export const notFound = (gone: boolean, kind: string): string => (gone ? say("kind not found", { kind }) : "");
