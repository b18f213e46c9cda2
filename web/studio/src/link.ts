// The address of a page holds all that it shows, so that every page and every
// game is a link.
import { useEffect, useState } from "preact/hooks";

export interface Route { page: string; query: Record<string, string> }

export function parseRoute(hash: string): Route {
  const [path = "", ...rest] = hash.replace(/^#\/?/, "").split("?");
  const text = rest.join("?");
  const query: Record<string, string> = {};
  for (const part of text.split("&")) {
    const i = part.indexOf("=");
    if (i > 0) query[decode(part.slice(0, i))] = decode(part.slice(i + 1));
  }
  return { page: path || "play", query };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, "%20"));
  } catch {
    return text;
  }
}

export function formatRoute(r: Route): string {
  const parts = Object.entries(r.query)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}=${encode(value)}`);
  return `#/${r.page}${parts.length > 0 ? "?" + parts.join("&") : ""}`;
}

// encode leaves what is harmless and common in games readable.
const encode = (text: string): string => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%40/g, "@").replace(/%2F/g, "/").replace(/%3D/g, "=");

// Moves are joined with commas; a comma in the label of a tree's move is kept
// apart by escaping it.
export const joinMoves = (moves: string[]): string => moves.map((m) => m.replace(/[%,]/g, encodeURIComponent)).join(",");
export const splitMoves = (text: string | undefined): string[] => (text ? text.split(",").map(decode) : []);

const changed = "oxo.route";

// go shows another page; replaced, the back button does not return here.
export function go(r: Route, replace = false): void {
  const hash = formatRoute(r);
  if (hash === location.hash) return;
  if (replace) history.replaceState(history.state, "", hash);
  else history.pushState(null, "", hash);
  dispatchEvent(new Event(changed));
}

export function useRoute(): Route {
  const [route, set] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = () => set(parseRoute(location.hash));
    for (const event of ["hashchange", "popstate", changed]) addEventListener(event, update);
    return () => {
      for (const event of ["hashchange", "popstate", changed]) removeEventListener(event, update);
    };
  }, []);
  return route;
}
