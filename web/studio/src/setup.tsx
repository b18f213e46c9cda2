// Choosing a game and who plays it.
import { useEffect, useState } from "preact/hooks";
import { type GameFile, gameFiles, type Games, message, position } from "./api";
import { nameOf, type Offer, offered, offeredPlayers, playerName } from "./catalogue";
import { OwnGame } from "./owngame";
import { Failure } from "./parts";
import { useBrains, useLatest } from "./use";

const typed = "typed";
const grid = "grid";
const ownFile = "own";

const options = (offers: Offer[]) => offers.map((o) => <option value={o.spec} key={o.spec}>{o.name}</option>);

interface GameProps { id: string; known: Games | null; spec: string; suits?: (spec: string) => boolean; onChoose: (spec: string) => void }

// GameChoice chooses a game by name, of those that suit, or by its spec. It
// hands on only specs that the server knows.
export function GameChoice({ id, known, spec, suits, onChoose }: GameProps) {
  const [own, setOwn] = useState(nameOf(spec) === undefined);
  const [text, setText] = useState(spec);
  const [error, setError] = useState("");
  const [bringing, setBringing] = useState(false);
  const [gridding, setGridding] = useState(false);
  const brought = useGameFiles();
  useEffect(() => {
    setText(spec); // a link may have brought another game
    setError("");
  }, [spec]);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!text.trim()) return setError("Type a game, such as mnk:5,5,4.");
    try {
      await position({ game: text.trim() });
      setError("");
      onChoose(text.trim());
    } catch (e) {
      setError(message(e));
    }
  };
  const shelves = offered(known, suits);
  const listed = shelves.some((s) => s.offers.some((o) => o.spec === spec));
  const here = brought.list.some((f) => f.spec === spec);
  const custom = !bringing && !gridding && (own || !listed) && !here && (brought.known || !spec.includes(".json"));
  return (
    <div class="field">
      <label for={id}>Game</label>
      <select id={id} value={bringing ? ownFile : gridding ? grid : custom ? typed : spec}
        onChange={(e) => {
          const v = e.currentTarget.value;
          setError("");
          setBringing(v === ownFile);
          setGridding(v === grid);
          if (v === ownFile || v === grid) return;
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
          <optgroup label="Brought here">{brought.list.map((f) => <option value={f.spec} key={f.spec}>{f.title}</option>)}</optgroup>
        )}
        <option value={grid}>A grid of any size up to 20×20…</option>
        <option value={typed}>Another game, typed…</option>
        {brought.able && <option value={ownFile}>A game of your own, from a file…</option>}
      </select>
      {gridding && <Grid id={id} spec={spec} onChoose={(s) => { setOwn(true); setText(s); onChoose(s); }} />}
      {bringing && <OwnGame id={id} onBrought={(f) => { brought.again(); setBringing(false); setOwn(false); onChoose(f.spec); }} />}
      {custom && (
        <form class="row" onSubmit={submit}>
          <input aria-label="Game, typed" aria-invalid={error !== ""} value={text} spellcheck={false} autocapitalize="off" autocomplete="off"
            list={id + "-forms"} onInput={(e) => setText(e.currentTarget.value)} placeholder="mnk:5,5,4+misere" />
          <datalist id={id + "-forms"}>{known?.games.map((k) => k.example && <option value={k.example} key={k.spec}>{k.name}</option>)}</datalist>
          <button type="submit">Use it</button>
        </form>
      )}
      <Failure text={error} />
    </div>
  );
}

interface SeatProps { id: string; label: string; known: Games | null; game: string; spec: string; onChoose: (spec: string) => void }

// Grid chooses a grid by its columns, rows and how many in a row win.
function Grid({ id, spec, onChoose }: { id: string; spec: string; onChoose: (spec: string) => void }) {
  const now = /^mnk:(\d+),(\d+),(\d+)$/.exec(spec);
  const [sizes, setSizes] = useState(now ? now.slice(1) : ["10", "10", "5"]);
  const most = [20, 20, Math.max(Number(sizes[0]) || 1, Number(sizes[1]) || 1)];
  return (
    <form class="sizes" onSubmit={(e) => { e.preventDefault(); onChoose("mnk:" + sizes.map(Number).join()); }}>
      {["Columns", "Rows", "In a row"].map((name, i) => (
        <div class="field" key={name}>
          <label for={`${id}-grid${i}`}>{name}</label>
          <input id={`${id}-grid${i}`} type="number" inputMode="numeric" min={1} max={most[i]} required value={sizes[i]}
            onInput={(e) => setSizes(sizes.map((s, k) => (k === i ? e.currentTarget.value : s)))} />
        </div>
      ))}
      <button type="submit">Use it</button>
    </form>
  );
}

// useGameFiles lists the games that people brought, where the server keeps any.
function useGameFiles(): { list: GameFile[]; able: boolean; known: boolean; again: () => void } {
  const loaded = useLatest("files", () => gameFiles().then((r) => r.files));
  return { list: loaded.data ?? [], able: loaded.data !== null, known: loaded.data !== null || loaded.error !== "", again: loaded.again };
}

// PlayerChoice chooses who plays a seat.
export function PlayerChoice({ id, label, known, game, spec, onChoose }: SeatProps) {
  const offers = offeredPlayers(known);
  const brains = useBrains(game);
  const isBrain = spec.startsWith("brain:");
  const learned = isBrain && !brains.some((b) => b.spec === spec) ? [...brains, { spec, name: playerName(spec) }] : brains;
  const listed = isBrain || offers.some((s) => s.offers.some((o) => o.spec === spec));
  const [own, setOwn] = useState(!listed);
  const [text, setText] = useState(spec);
  const custom = own || !listed;
  useEffect(() => setText(spec), [spec]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={custom ? typed : spec}
        onChange={(e) => {
          const v = e.currentTarget.value;
          setOwn(v === typed);
          if (v === typed) setText(spec);
          else onChoose(v);
        }}>
        {offers.map((s) => (s.name ? <optgroup label={s.name} key={s.name}>{options(s.offers)}</optgroup> : options(s.offers)))}
        {learned.length > 0 && <optgroup label="Learned here">{options(learned)}</optgroup>}
        <option value={typed}>Another player, typed…</option>
      </select>
      {custom && (
        <form class="row" onSubmit={(e) => { e.preventDefault(); if (text.trim()) onChoose(text.trim()); }}>
          <input aria-label={label + ", typed"} value={text} spellcheck={false} autocapitalize="off" autocomplete="off"
            list={id + "-forms"} onInput={(e) => setText(e.currentTarget.value)} placeholder="minimax:depth=4" />
          <datalist id={id + "-forms"}>{known?.players.map((p) => <option value={p.form} key={p.form}>{p.about}</option>)}</datalist>
          <button type="submit">Use it</button>
        </form>
      )}
    </div>
  );
}
