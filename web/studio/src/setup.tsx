// Choosing a game and who plays it.
import { useEffect, useState } from "preact/hooks";
import { bringGame, type GameFile, gameFiles, type Games, type Kind, type PlayerForm, position } from "./api";
import { called, type Offer, type Offered, offered, offeredPlayers, playerForms, playerName, type Shelf, titleOf } from "./catalogue";
import { Failure, Field } from "./parts";
import { memo } from "./memo";
import { say } from "./text";
import { useBrains, useLatest, useTried } from "./use";

const typed = "typed";
const sizes = "sizes:"; // and the kind of game whose size is chosen
const ownFile = "own";

// Pending takes what stands in the fields of a GameChoice and was not entered: it hands that on and answers its spec,
// or "" where it is refused there. It is null where nothing of the kind stands.
export type Pending = { current: (() => Promise<string>) | null };

// chosen is the game that a page goes on with: what stands in the fields of its GameChoice, else its own.
export const chosen = (pending: Pending, spec: string): Promise<string> => pending.current?.() ?? Promise.resolve(spec);

const options = (offers: Offer[]) => offers.map((o) => <option value={o.spec} key={o.spec}>{o.name}</option>);

interface GameProps { id: string; known: Games | null; spec: string; suits?: (o: Offered) => boolean; pending?: Pending; onChoose: (spec: string) => void }

// GameChoice chooses a game by name, of those that suit, or by its spec. It
// hands on only specs that the server knows.
export const GameChoice = memo(({ id, known, spec: asked, suits, pending, onChoose }: GameProps) => {
  const spec = called(asked);
  const [own, setOwn] = useState(false);
  const [text, setText] = useState(spec);
  const [error, attempt, setError] = useTried();
  const [bringing, setBringing] = useState(false);
  const [sizing, setSizing] = useState("");
  const brought = useGameFiles();
  useEffect(() => {
    setText(spec); // a link may have brought another game
    setError("");
  }, [spec]);
  const sizable = known?.games.filter((k) => k.sizes) ?? [];
  const example = (sizable[0] ?? known?.games[0])?.example ?? "";
  const take = async () => {
    const typed = text.trim();
    if (!typed) return setError(say("type a game example", { example })), "";
    return await attempt(() => position({ game: typed }).then(() => (onChoose(typed), typed))) ?? "";
  };
  const shelves = offered(suits);
  const listed = shelves.some((s) => s.offers.some((o) => o.spec === spec));
  const here = brought.list.some((f) => f.spec === spec);
  const custom = known !== null && !bringing && !sizing && (own || !listed) && !here && (brought.known || !spec.includes(".json"));
  if (pending) pending.current = custom && text.trim() !== spec ? take : null;
  return (
    <Field id={id} label={say("game")}>
      <select id={id} value={bringing ? ownFile : sizing ? sizing : custom ? typed : spec}
        onChange={(e) => {
          const v = e.currentTarget.value;
          setError("");
          setBringing(v === ownFile);
          const sized = v.startsWith(sizes);
          setSizing(sized ? v : "");
          if (v === ownFile || sized) return;
          setOwn(v === typed);
          if (v === typed) setText(spec);
          else onChoose(v);
        }}>
        {shelves.map((s) => (
          <optgroup label={s.name} key={s.name}>
            {options(s.offers)}
          </optgroup>
        ))}
        {!brought.known && spec.includes(".json") && <option value={spec}>{spec}</option>}
        {brought.list.length > 0 && (
          <optgroup label={say("Brought here")}>{brought.list.map((f) => <option value={f.spec} key={f.spec}>{f.title}</option>)}</optgroup>
        )}
        {!known && <option value={spec}>{titleOf(spec)}</option>}
        {sizable.map((k) => <option value={sizes + k.kind} key={k.kind}>{k.sizes!.label}</option>)}
        <option value={typed}>{say("another game typed")}</option>
        {brought.able && <option value={ownFile}>{say("a game of your")}</option>}
      </select>
      {sizable.filter((k) => sizes + k.kind === sizing).map((k) => <SizeForm key={k.kind} id={id} kind={k} spec={spec} pending={pending} onChoose={(s) => { setOwn(true); setText(s); onChoose(s); }} />)}
      {bringing && <OwnGame id={id} pending={pending} onBrought={(f) => { brought.again(); setBringing(false); setOwn(false); onChoose(f.spec); }} />}
      {custom && (
        <form class="row" onSubmit={(e) => { e.preventDefault(); e.stopPropagation(); void take(); }}>
          <input aria-label={say("label typed", { label: say("game") })} aria-invalid={error !== ""} value={text} spellcheck={false} autocapitalize="off" autocomplete="off"
            list={id + "-forms"} onInput={(e) => setText(e.currentTarget.value)} placeholder={example} />
          <datalist id={id + "-forms"}>{known?.games.map((k) => k.example && <option value={k.example} key={k.spec}>{k.name}</option>)}</datalist>
          <button type="submit">{say("use it")}</button>
        </form>
      )}
      <Failure text={error} />
    </Field>
  );
});

// SizeForm chooses a game by the numbers in its spec. What the server refuses is
// not handed on.
function SizeForm({ id, kind, spec, pending, onChoose }: { id: string; kind: Kind; spec: string; pending?: Pending; onChoose: (spec: string) => void }) {
  const numbers = kind.sizes?.numbers ?? [];
  const now = spec.startsWith(kind.kind + ":") ? spec.slice(kind.kind.length + 1).split(",") : [];
  const [numbered, setNumbered] = useState(now.length === numbers.length && now.every((n) => /^\d+$/.test(n)) ? now : numbers.map((n) => String(n.usual)));
  const [error, attempt] = useTried();
  const take = async () => {
    const text = `${kind.kind}:${numbered.map(Number).join()}`;
    return await attempt(() => position({ game: text }).then(() => (onChoose(text), text))) ?? "";
  };
  if (pending) pending.current = take;
  return (
    <form class="sizes" onSubmit={(e) => { e.preventDefault(); e.stopPropagation(); void take(); }}>
      {numbers.map((n, i) => (
        <Field id={`${id}-size${i}`} label={n.name} key={n.name}>
          <input id={`${id}-size${i}`} type="number" inputMode="numeric" min={n.least} max={n.most} required value={numbered[i]}
            onInput={(e) => setNumbered(numbered.map((s, k) => (k === i ? e.currentTarget.value : s)))} />
        </Field>
      ))}
      <button type="submit">{say("use it")}</button>
      <Failure text={error} />
    </form>
  );
}

const exampleFile = `{
  "name": "three in a star",
  "squares": 7,
  "winning": [[1, 2, 3], [1, 4, 5], [1, 6, 7], [2, 4, 6], [3, 5, 7]],
  "layout": [[2, 2], [1, 1], [0, 0], [3, 1], [4, 0], [2, 3], [2, 4]]
}`;

const exampleTree = `{
  "name": "three minima",
  "root": {"kind": "max", "children": [
    {"kind": "min", "children": [3, 12, 8]},
    {"kind": "min", "children": [2, 4, 6]},
    {"kind": "min", "children": [14, 5, 2]}
  ]}
}`;

// OwnGame takes a game of one's own: the file's text, chosen or pasted.
function OwnGame({ id, pending, onBrought }: { id: string; pending?: Pending; onBrought: (f: GameFile) => void }) {
  const [text, setText] = useState("");
  const [error, attempt] = useTried();
  const bring = async () => await attempt(() => bringGame(text).then((f) => (onBrought(f), f.spec))) ?? "";
  if (pending) pending.current = bring;
  return (
    <form class="own" onSubmit={(e) => { e.preventDefault(); e.stopPropagation(); void bring(); }}>
      <p class="muted">{say("squares or a tree")} <button type="button" onClick={() => setText(exampleFile)}>{say("an example")}</button> <button type="button" onClick={() => setText(exampleTree)}>{say("a tree")}</button></p>
      <p class="muted">{say("how a tree is written")}</p>
      <input type="file" accept=".json,application/json" aria-label={say("a game's file")} onChange={(e) => e.currentTarget.files?.[0]?.text().then(setText)} />
      <textarea id={id + "-own"} class="code" rows={8} aria-label={say("the game's text")} aria-invalid={error !== ""} spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} placeholder={exampleFile} />
      <Failure text={error} />
      <button type="submit" class="primary" disabled={text.trim() === ""}>{say("play this game")}</button>
    </form>
  );
}

// useGameFiles lists the games that people brought, where the server keeps any.
function useGameFiles(): { list: GameFile[]; able: boolean; known: boolean; again: () => void } {
  const loaded = useLatest("files", () => gameFiles().then((r) => r.files));
  return { list: loaded.data ?? [], able: loaded.data !== null, known: loaded.data !== null || loaded.error !== "", again: loaded.again };
}

interface SeatProps { id: string; label: string; known: Games | null; refused: Map<string, string>; game: string; spec: string; onChoose: (spec: string) => void }

// PlayerChoice chooses who plays a seat.
export const PlayerChoice = memo(({ id, label, known, refused, game, spec, onChoose }: SeatProps) => {
  const offers = offeredPlayers(known, game, refused);
  const brains = useBrains(game);
  const learned = spec.startsWith("brain:") && !brains.some((b) => b.spec === spec) ? [...brains, { spec, name: playerName(spec) }] : brains;
  return (
    <Field id={id} label={label}>
      <SpecChoice id={id} label={label} shelves={[...offers, { name: say("learned here"), offers: learned }]} forms={playerForms(known, game)} spec={spec} onChoose={onChoose} />
    </Field>
  );
});

interface SpecProps { id: string; label: string; shelves: Shelf[]; forms: PlayerForm[]; spec: string; invalid?: boolean; atOnce?: boolean; onChoose: (spec: string) => void }

// SpecChoice chooses a player of those on the shelves, or by its spec: what is typed
// counts at once, or when it is entered.
export function SpecChoice({ id, label, shelves, forms, spec, invalid, atOnce, onChoose }: SpecProps) {
  const listed = shelves.some((s) => s.offers.some((o) => o.spec === spec));
  const [own, setOwn] = useState(false);
  const [text, setText] = useState(spec);
  const custom = own || !listed;
  useEffect(() => setText(spec), [spec]);
  const use = () => { if (text.trim()) onChoose(text.trim()); };
  return (
    <>
      <select id={id} value={custom ? typed : spec} aria-invalid={invalid}
        onChange={(e) => {
          const v = e.currentTarget.value;
          setOwn(v === typed);
          if (v === typed) setText(spec);
          else onChoose(v);
        }}>
        {shelves.map((s) => (s.name ? s.offers.length > 0 && <optgroup label={s.name} key={s.name}>{options(s.offers)}</optgroup> : options(s.offers)))}
        <option value={typed}>{say("type another player")}</option>
      </select>
      {custom && (
        <div class="row">
          <input aria-label={say("label typed", { label })} value={text} spellcheck={false} autocapitalize="off" autocomplete="off" aria-invalid={invalid} required={atOnce}
            list={id + "-forms"} placeholder="minimax:depth=4"
            onInput={(e) => { setText(e.currentTarget.value); if (atOnce) onChoose(e.currentTarget.value.trim()); }}
            onKeyDown={(e) => { if (e.key === "Enter" && !atOnce) { e.preventDefault(); use(); } }} />
          <datalist id={id + "-forms"}>{forms.map((p) => <option value={p.form} key={p.form}>{p.about}</option>)}</datalist>
          {!atOnce && <button type="button" onClick={use}>{say("use it")}</button>}
        </div>
      )}
    </>
  );
}
