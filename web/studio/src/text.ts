// What the studio says: every text by its key, in the language that is chosen.
import type { ComponentChild } from "preact";
import { en } from "./en";
import { names } from "./names";
import type { Message } from "./schema";
import { getItem } from "./storage";

export type Table = Record<keyof typeof en, string>;

// languages are by their tag the tables of what the studio says and of what the server does. Another
// language is a file like each, en.ts and english.ts, and a line here.
// What the API's document says comes in English, by the place where it stands. So does what the server says,
// of which English needs no table but for names that data has.
// A language that is made of English says too what makes its texts of the English ones, of which some come with the
// pages that say them.
type Words = Record<string, string>;
type Language = [Table, Words, (place: string, english: string) => string, ((more: Words) => Words)?];
const languages: Record<string, () => Language | Promise<Language>> = {
  en: () => [en, names, (_, text) => text, (more) => more],
  pseudo: async () => [mirroredAll(en), mirroredAll((await import("./english")).english), (_, text) => mirrored(text), mirroredAll],
};

const mirroredAll = <T extends Record<string, string>>(table: T): T =>
  Object.fromEntries(Object.entries(table).map(([key, text]) => [key, mirrored(text)])) as T;

// mirrored makes of a text one of a language that is none, to look at the pages in: it is
// longer, and written from right to left. Its dates are Urdu.
const mirrored = (text: string): string => text === en["writing direction"] ? "rtl" : text.replace(/\{\w+|<\/?\w+>|\[!?\w+\?|[a-z]+/gi, (word) =>
  /^[{<[]/.test(word) ? word : [...word.toLowerCase()].map((c) => String.fromCharCode(0x5d0 + c.charCodeAt(0) - 97)).join("") + (word.length > 3 ? "א" : ""));

const chosen = getItem("oxo.language") ?? "en";
const language = chosen in languages ? chosen : "en";
const [table, served, placed, made] = await languages[language]!();

// add has texts of en.ts that come with a page: the build puts a text that one source alone says beside it.
export const add = (texts: Words): unknown => made && Object.assign(table, made(texts));

// documented is what the API's document says at a place, such as open-session.clock.
export const documented = (place: string, english = ""): string => english && placed(place, english);

// locale is the language as Intl knows it.
export const locale = language === "pseudo" ? "ur" : language;

if (globalThis.document) Object.assign(document.documentElement, { lang: locale, dir: table["writing direction"] });

type Slot<S extends string> = S extends `${string}{${infer In}}${infer Rest}` ? In | Slot<Rest> : never;
type Tag<S extends string> = S extends `${string}</${infer In}>${infer Rest}` ? In | Tag<Rest> : never;
type Counted<S extends string> = Slot<S> extends infer In ? (In extends `${infer Name}|${string}` ? Name : never) : never;
type Named<S extends string> = Slot<S> extends infer In ? (In extends `${string}|${string}` ? never : In & string) : never;
type Sign<S extends string> = S extends `!${infer In}` ? In : S;
type Optional<S extends string> = S extends `${string}[${infer In}?${infer Rest}` ? Sign<In> | Optional<Rest> : never;
type Filling<S extends string, Of> = { [K in Exclude<Counted<S>, Optional<S>>]: number } & { [K in Exclude<Named<S>, Optional<S>>]: Of } & { [K in Optional<S>]: K extends Counted<S> ? number : K extends Named<S> ? Of | false | null | undefined : unknown } & { [K in Tag<S>]: (text: ComponentChild) => ComponentChild };
type Rest<S extends string, Of> = [Slot<S> | Tag<S> | Optional<S>] extends [never] ? [] : [Filling<S, Of>];
type Args = Record<string, unknown>;
type Key = keyof typeof en;

// say is the text of a key. {name} in it is an argument, {n|# game|# games} counts one, with a
// form for each plural of the language. [name?a part] is said where the argument is there and neither
// empty nor 0, [!name?a part] where it is not.
export function say<K extends Key>(key: K, ...args: Rest<(typeof en)[K], string | number>): string {
  return args.length > 0 ? pieces(table[key], args[0] as Args).join("") : table[key];
}

// show is a text with elements in it: arguments that are some, and parts that one wraps, as
// <a>here</a>.
export function show<K extends Key>(key: K, ...args: Rest<(typeof en)[K], ComponentChild>): ComponentChild[] {
  return pieces(table[key], args[0] as Args);
}

function pieces(text: string, args: Args = {}): ComponentChild[] {
  return text.split(/(\[!?\w+\?[^\]]*\]|\{[^}]*\}|<\w+>.*?<\/\w+>)/).flatMap((part, i) => {
    if (i % 2 === 0) return part;
    const [, not, flag, said] = part.match(/^\[(!?)(\w+)\?(.*)\]$/s) ?? [];
    if (flag) return Boolean(args[flag]) === !not ? pieces(said!, args) : [];
    const [name = "", ...rest] = part.slice(1, -1).split(/[|>]/);
    const arg = args[name];
    if (typeof arg === "function") return arg(pieces(part.slice(name.length + 2, -name.length - 3), args));
    return rest.length > 0 ? rest[plural(arg as number)]!.replace("#", count(arg as number)) : arg as ComponentChild;
  });
}

// The language's numbers and the forms that go with them are made at the first use, as each takes a millisecond.
let numbers: Intl.NumberFormat | undefined, rules: Intl.PluralRules | undefined, forms: string[] = [];

// plural is which of the language's forms a number takes.
function plural(n: number): number {
  if (!rules) {
    rules = new Intl.PluralRules(locale);
    const { pluralCategories } = rules.resolvedOptions();
    forms = ["zero", "one", "two", "few", "many", "other"].filter((c) => pluralCategories.includes(c as Intl.LDMLPluralRule));
  }
  return forms.indexOf(rules.select(n));
}

export const count = (n: number): string => (numbers ??= new Intl.NumberFormat(locale)).format(n);

// told is what messages of the server say, no number parted from its %.
const told = (list: Message[], by: Words): string =>
  list.map((m) => by[m.key]!.replace(/\{(\w+)\}/g, (_, name: string) => argument(name, m.args?.[name], by)).replaceAll(" %", "\u00a0%")).join(" ");

const argument = (name: string, a: unknown, by: Words): string =>
  name === "feature" ? named(name, `${a}`, by) : Array.isArray(a) ? a.join(by.list) : Number.isInteger(a) ? count(a as number) : a instanceof Object ? told([a as Message], by) : `${a}`;

// named is what the page calls a thing that data names: of products the factors, and what has no name of its own as it is.
export const named = (kind: string, name: string, by: Words = served): string => name.split(" × ").map((part) => by[`${kind}.${part}`] ?? part).join(" × ");

// known reports whether a message can be said with all that is in it.
const known = (m: Message, by: Words): boolean => m.key in by && Object.values(m.args ?? {}).every((a) => Array.isArray(a) || !(a instanceof Object) || known(a as unknown as Message, by));

// read reads JSON of the server. Texts that have their messages beside them are said from those.
export function read<T>(text: string, by: Words = served): T {
  return JSON.parse(text, text.includes('"said":') ? (_, value) => {
    for (const [field, list] of Object.entries((value?.said ?? {}) as Record<string, Message[]>)) {
      if (Array.isArray(list) && list.every((m) => known(m, by))) value[field] = Array.isArray(value[field]) ? list.map((m) => told([m], by)) : told(list, by);
    }
    return value;
  } : undefined) as T;
}
