// The address of a page holds all that it shows, so that every page and every
// game is a link.
import { useEffect, useMemo, useState } from "preact/hooks";
import { untilOver } from "./effect";

export interface Route { page: string; query: Record<string, string> }

// parseRoute reads an address: the page's word, what it shows, and after # what the
// server is not told. Addresses of old had all of it after "#/".
export function parseRoute(address: string): Route {
  const old = address.indexOf("#/");
  const [text = "", secrets = ""] = old >= 0 ? [address.slice(old + 2)] : address.split("#");
  const [path = "", ...rest] = text.split("?");
  const query: Record<string, string> = {};
  for (const part of [...rest.join("?").split("&"), ...secrets.split("&")]) {
    const i = part.indexOf("=");
    const key = decode(part.slice(0, Math.max(0, i)));
    if (key) query[key] = decode(part.slice(i + 1), key === "game");
  }
  return { page: decode(path.slice(path.lastIndexOf("/") + 1), true) || "play", query };
}

// decode reads a part of an address, where a plus sign is a blank; but before a game's options it is itself, as in
// ttt+misere, and in a game's name no matter.
function decode(text: string, signed = false): string {
  try {
    return decodeURIComponent(signed ? text : text.replace(/\+/g, "%20"));
  } catch {
    return text;
  }
}

// shortenName is a name from elsewhere as one of a seat, as oxo.ShortenName has it: of 40 characters that are seen.
export function shortenName(name: string): string {
  const all = [...name.replace(/\s/g, " ").replace(/(?!\p{VS})[\p{C}\p{DI}\u2800]/gu, "").trim()];
  return all.length > 40 ? all.slice(0, 39).join("") + "…" : all.join("");
}

// secret are the parts of an address that give something to whoever knows them; browsers
// tell no server what stands after #.
const secret = ["invite", "code"];

// formatRoute writes the address of a page, from any page.
export function formatRoute(r: Route): string {
  const parts = (hidden: boolean) => Object.entries(r.query)
    .filter(([key, value]) => value !== "" && secret.includes(key) === hidden)
    .map(([key, value]) => `${key}=${encode(value)}`).join("&");
  return encodeURIComponent(r.page) + [["?", parts(false)], ["#", parts(true)]].map(([sign, text]) => (text ? sign! + text : "")).join("");
}

// addressOf is the whole address of a page, for people to send.
export const addressOf = (r: Route): string => new URL(formatRoute(r), document.baseURI).href;

// onlyHere reports whether the studio's address is one that leads to it from this machine alone.
export const onlyHere = (): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

// encode leaves what is harmless and common in games readable.
const encode = (text: string): string => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%40/g, "@").replace(/%2F/g, "/").replace(/%3D/g, "=");

// Moves are joined with commas; a comma in the label of a tree's move is kept
// apart by escaping it.
export const joinMoves = (moves: string[]): string => moves.map((m) => m.replace(/[%,]/g, encodeURIComponent)).join(",");
export const splitMoves = (text: string | undefined): string[] => (text ? text.split(",").map((m) => decode(m)) : []);

const changed = "oxo.route";

// followed tells that a link was followed, or the back button pressed: what the page
// shows is not what was done on it.
export const followed = "oxo.followed";

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

// root is the folder of all pages, which one that is not there may lie below.
const root = (): string => folder(new URL(document.baseURI).pathname);

// here is the address as parseRoute reads it, of one word.
const here = (): string => location.pathname.slice(root().length).replaceAll("/", "%2F") + location.search + location.hash;

export const currentRoute = (): Route => parseRoute(here());

// renew writes an address of old as one of today.
function renew(): void {
  if (location.hash.startsWith("#/")) history.replaceState(history.state, "", formatRoute(currentRoute()));
}

// go shows another page; replaced, the back button does not return here. Another thing on the page where it is looked at
// stays there: the page is not scrolled to its top.
export function go(r: Route, replace = false, stays = false): void {
  const address = formatRoute(r);
  if (addressOf(r) === location.href) return;
  if (replace) history.replaceState(history.state, "", address);
  else history.pushState(stays ? { seen: true } : null, "", address);
  dispatchEvent(new Event(changed));
}

// note keeps in the address what the page shows by now, which stays as it is.
export const note = (r: Route): void => history.replaceState(history.state, "", formatRoute(r));

// ours reports whether a link leads to a page of the studio: a word in their folder.
function ours(a: HTMLAnchorElement): boolean {
  return a.origin === location.origin && !a.target && !a.hasAttribute("download") && folder(a.pathname) === root()
    && !a.pathname.endsWith(".txt") && !a.pathname.endsWith("/embed");
}

// follow shows the page that a link of the studio leads to without loading it.
function follow(e: MouseEvent): void {
  const a = (e.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!a || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey || !ours(a)) return;
  e.preventDefault();
  go(parseRoute(a.pathname + a.search + a.hash));
  dispatchEvent(new Event(followed));
}

// listen has addresses followed, once for all pages.
export function listen(): void {
  renew();
  addEventListener("click", follow);
  for (const event of ["hashchange", "popstate"]) addEventListener(event, () => {
    renew();
    dispatchEvent(new Event(changed));
    dispatchEvent(new Event(followed));
  });
}

// useRoute follows the address, from the first moment on: it may have changed between what was drawn and what
// listens.
export function useRoute(): Route {
  const [at, set] = useState(here);
  useEffect(untilOver((signal) => {
    set(here());
    addEventListener(changed, () => set(here()), { signal });
  }), []);
  return useMemo(() => parseRoute(at), [at]);
}
