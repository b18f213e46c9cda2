// What the pages that train and teach share: learners as they are spelled, their options, and a name to save them under.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { capital } from "./catalogue";
import { Choice, Field } from "./parts";
import { count, say } from "./text";
import type { Catalogue, LearnerForm, Setting } from "./train";

// parseLearner takes NAME:KEY=VALUE,… apart.
export function parseLearner(text: string): { learner: string; options: Record<string, string> } {
  const [learner = "", rest = ""] = text.split(/:(.*)/s);
  return { learner, options: Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split(/=(.*)/s)).map(([key = "", value = ""]) => [key, value])) };
}

// usualOf is the value of an option that nobody gives, where the others are as they are given.
const usualOf = (s: Setting, options: Record<string, string>): string => Object.entries(s.usual_with ?? {}).find(([with_]) => {
  const [key = "", value] = with_.split("=");
  return options[key] === value;
})?.[1] ?? s.value;

// valueOf is the value of an option, given or usual.
export const valueOf = (s: Setting, options: Record<string, string>): string => options[s.key] ?? usualOf(s, options);

// spell puts a learner together again: the options with other values than the
// usual ones, those that are always said, and of what was said what the learner
// does not know, for the server to refuse.
export function spell(kind: LearnerForm, options: Record<string, string>, always: string[] = []): string {
  const said = kind.settings.filter((s) => valueOf(s, options) !== usualOf(s, options) || always.includes(s.key)).map((s) => [s.key, valueOf(s, options)]);
  const unknown = Object.entries(options).filter(([key]) => !kind.settings.some((s) => s.key === key));
  return kind.name + [...said, ...unknown].map(([key, value], i) => `${i ? "," : ":"}${key}=${value}`).join("");
}

// whatFor says why a learner that a link names can't learn the game, nothing where it can.
export function whatFor(c: Catalogue | null, learner: string): string {
  const known = c?.learners.find((l) => l.name === learner);
  if (!c || known && !known.refused) return "";
  return known?.refused ?? say("no learner is called learner", { learner, learners: c.learners.map((l) => l.name).join(", ") });
}

// Save asks for the name of a player that a learner becomes.
export function Save({ what, said, onSave }: { what: string; said: string; onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); onSave(name.trim()); }}>
      <input class="short" aria-label={say("name to save it under")} value={name} placeholder="boxes-500" pattern="[a-z0-9][a-z0-9\-]*" title={say("small letters digits and dashes")} required maxLength={40}
        spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(e) => setName(e.currentTarget.value)} />
      <button type="submit">{say("save")}</button>
      <span class="muted" role="status">{said || say("what becomes a player brain", { what })}</span>
    </form>
  );
}

interface LearnerProps { of: Catalogue | null; kind: LearnerForm | undefined; unable: string; invalid?: boolean; below?: ComponentChildren; onChoose: (learner: string) => void }

// LearnerChoice chooses a learner of a game; unable is one that can't learn it, which a link names.
export const LearnerChoice = ({ of, kind, unable, invalid, below, onChoose }: LearnerProps) => (
  <Choice id="learner" label={capital(say("learner"))} value={kind?.name ?? unable} options={[]} invalid={invalid} below={below} onChange={onChoose}>
    {!of && <option value="">…</option>}
    {unable && !of?.learners.some((l) => l.name === unable) && <option value={unable}>{unable}</option>}
    {of?.learners.map((l) => <option value={l.name} key={l.name} disabled={Boolean(l.refused)}>{say("name and about", { name: l.name, about: l.about, refused: l.refused })}</option>)}
  </Choice>
);

interface OptionsProps { kind: LearnerForm | undefined; given: Record<string, string>; open: boolean; onSpell: (learner: string) => void }

// Options are those of a learner, folded; what is changed is told as the learner's spec.
export const Options = ({ kind, given, open, onSpell }: OptionsProps) => (
  <details class="options" open={open}>
    <summary>{say("options of name", { name: kind?.name ?? say("the learner"), usual: false })}</summary>
    {kind?.settings.map((s) => <Option key={kind.name + s.key} s={s} value={valueOf(s, given)} onChange={(v) => onSpell(spell(kind, { ...given, [s.key]: v }))} />)}
  </details>
);

// boundless is what nobody comes to.
const boundless = 1e9;

// Option is one option of a learner, as the catalogue describes it.
function Option({ s, value, onChange }: { s: Setting; value: string; onChange: (v: string) => void }) {
  const id = "option-" + s.key;
  const t = s.takes;
  const numeric = t?.kind === "number" || t?.kind === "integer", bounded = (t?.high ?? 0) < boundless;
  const about = say("about an option", { about: capital(s.about ?? ""), low: numeric && count(t.low ?? 0), high: numeric && bounded && count(t.high ?? 0), more: numeric && !bounded, slashes: t?.kind === "numbers" });
  return (
    <Field id={id} label={s.key}>
      {t?.kind === "word" ? (
        <select id={id} value={value} aria-describedby={id + "-about"} onChange={(e) => onChange(e.currentTarget.value)}>{(t.words?.includes(value) ? t.words : [value, ...(t.words ?? [])]).map((w) => <option key={w}>{w}</option>)}</select>
      ) : (
        <input id={id} value={value} aria-describedby={id + "-about"} inputMode={t?.kind === "integer" || t?.kind === "number" ? "decimal" : "text"} spellcheck={false} autocomplete="off" list={t?.words ? id + "-words" : undefined} onInput={(e) => onChange(e.currentTarget.value)} />
      )}
      {t?.kind === "text" && t.words && <datalist id={id + "-words"}>{t.words.map((w) => <option key={w} value={w} />)}</datalist>}
      <p class="muted hint" id={id + "-about"}>{about}</p>
    </Field>
  );
}
