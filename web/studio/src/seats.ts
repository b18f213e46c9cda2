// The seats that this browser holds in games on the server. Whoever has a
// seat's key plays for it.
import { setItem, storedValue } from "./storage";

// Held is a seat. Its score are the games won, drawn and lost against the same other side before, in a row;
// after is the game that this one is the next of; over says that the game was seen to have ended, empty that it
// did so without a move, and ended against whom, and how: won, lost, draw or "" for no result; declined or withdrawn
// where nobody came.
export interface Held { ended?: { name: string; how: string }; id: string; key: string; seat: string; title: string; invite?: string; when: number; score?: Score; after?: string; over?: boolean; empty?: boolean }
export type Score = [won: number, drawn: number, lost: number];

const key = "oxo.seats";
const most = 50;

// readSeats takes what is a seat of a list from elsewhere.
export const readSeats = (list: unknown): Held[] =>
  (Array.isArray(list) ? (list as Held[]).filter((h) => typeof h?.id === "string" && typeof h.key === "string" && typeof h.title === "string") : []);

export const heldSeats = (): Held[] => readSeats(storedValue(key));

export const heldSeat = (id: string): Held | undefined => heldSeats().find((h) => h.id === id);

// write keeps the latest seats. Without storage they are lost when the page is closed.
const write = (list: Held[]): void => setItem(key, JSON.stringify(list.slice(0, most)));

export const holdSeat = (h: Held): void => write([h, ...heldSeats().filter((o) => o.id !== h.id)]);
export const endSeat = (id: string, empty: boolean, ended?: Held["ended"]): void => write(heldSeats().map((h) => (h.id === id ? { ...h, over: true, empty, ended } : h)));
export const dropSeat = (id: string): void => write(heldSeats().filter((h) => h.id !== id));
