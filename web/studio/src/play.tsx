// The page to play on.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { choose as chooseMove, type Info, type Judged, message } from "./api";
import { capital, headingOf, nameOf, playerName, reserve } from "./catalogue";
import { BoardOf, keyColumns, levelsOf } from "./board";
import { Name, Turn } from "./pieces";
import { untilOver } from "./effect";
import { against, Ending, opponentOf, resultOf, Score, seatOf, Slot } from "./ending";
import { Gallery, Picture } from "./gallery";
import { at, atOneScreen, bySquare, choosesMark, coming, fromQuery, type Game, givenUp, landing, played, player, squareIndex, takenBack, toQuery, usualGame } from "./game";
import { best, following, type Hint, hint, hintNames, type Strength } from "./hint";
import { keepLevel, level, levelNames, levelOf } from "./level";
import { currentRoute, followed, formatRoute, go } from "./link";
import { Announce, Card, Entry, Failure, Legend, MarkChoice, Moves, OtherMoves, Remove, Rules, TakeBack, Titled, TreeMoves, Within } from "./parts";
import { Share } from "./share";
import { Sheets } from "./sheets";
import { AllSets, noneLit } from "./sets";
import { GameChoice, PlayerChoice } from "./setup";
import { type Held, heldSeat, heldSeats, useHeld } from "./held";
import { beaten, forget, keep, type Kept, keptGames, lastLeft, mixedNow, newID } from "./shelf";
import { quiet, sound } from "./sound";
import { memo, useEvent } from "./memo";
import { say, show } from "./text";
import { noGame } from "./title";
import { look } from "./train";
import { onItsWay, refusals, useAbort, useGame, useKeptFocus, useHand, useLatest, usePosition, useRefusals, useStored, useTask, useWide } from "./use";
import { notesOf, rowsOf, treeNotes, useValues } from "./values";
import { emptyBox, movesBack, other, outcome, side, status, unplayable, when } from "./words";

// most is how many games online the start leads back to.
const most = 2;

const beginning = (g: Game): Game => ({ ...g, moves: [], ply: 0, resigned: "" });

export function Play({ query }: { query: Record<string, string> }) {
  const set = (next: Game) => go({ page: "play", query: toQuery(next) }, true);
  const [g, known] = useGame(query, set);
  const loaded = usePosition(at(g), atOneScreen(g));
  // Who may not play here is known before the board is shown, and so is what the game is called, as both stand over it.
  const refusal = useRefusals(g.spec);
  const doubtful = [g.first, g.second].some((player) => player !== "human" && player !== reserve && levelOf(player) === 0);
  const ready = useRef(false);
  ready.current ||= (!doubtful || refusal.known) && (known !== null || g.spec === usualGame);
  const shown = loaded.data?.info && ready.current ? loaded.data : null;
  const p = loaded.current ? shown : null; // only when it belongs to g
  const live = g.ply === g.moves.length;
  const over = p !== null && (p.state.result !== "*" || (g.resigned !== "" && live));
  const mover = p ? player(g, p.state.turn) : "";
  const yours = p !== null && !over && p.state.turn !== "chance" && (mover === "human" || !live);

  const { mark, setMark, lifted, press } = useHand(JSON.stringify(at(g)));
  const [tip, setTip] = useState<Hint | null>(null);
  const [lit, setLit] = useState(noneLit);
  const [showing, setShowing] = useState(false); // what moves are worth
  const values = useValues(at(g), showing && yours ? p : null, 0);
  const rows = showing && yours && p ? rowsOf(values) : [];
  const [wanted, setWanted] = useState<Strength | "">(""); // the hint that is looked for
  const [error, setError] = useState("");
  const [heard, setHeard] = useState("");
  const [missed, setMissed] = useState(""); // why the square that was pressed last can't be played
  const seed = useMemo(() => Math.floor(Math.random() * 2 ** 31), [g.spec, g.start, g.moves.length === 0]);
  const thinking = p !== null && live && !over && !yours;
  const tipTask = useAbort();
  const found = useRef<Judged | null>(null); // for all hints at this position
  const asked = useRef<Strength | "">("");
  const want = (strength: Strength | "") => {
    asked.current = strength;
    setWanted(strength);
  };
  const [id, setID] = useGameID(g);
  const moved = useRef(""); // the game that somebody has moved in here
  const blended = useRef(""); // the game that goes on with one that changed hands
  const kept = useMemo(() => keptGames().find((k) => k.id === id), [id, p, g]);
  const mixed = blended.current === id || mixedNow(kept, g);
  const own = moved.current === id || kept?.linked === false; // somebody has moved here
  // put sets another position to play from, with its board in sight.
  const put = (next: Game, said: string) => {
    const fresh = newID();
    if (next.moves.length > 0 && moved.current === id) moved.current = fresh; // it goes on with the same moves
    if (next.moves.length > 0 && mixed) blended.current = fresh;
    setID(fresh);
    setHeard(said);
    set(next);
    document.querySelector(".board")?.scrollIntoView({ block: "nearest" });
  };
  const begin = (next: Game, said: string) => put(beginning(next), said);

  // Another game: players that don't play it make room, which is said with the reason.
  const [replaced, setReplaced] = useState({ spec: "", says: "" });
  const choose = useEvent(async (spec: string) => {
    const next = { ...g, spec, start: "" };
    try {
      const refused = await refusals(spec);
      const able = (player: string) => (refused.has(player) ? reserve : player);
      const out = [...new Set([g.first, g.second])].filter((player) => refused.has(player));
      const says = out.map((player) => say("player doesn't play here", { player: playerName(player), other: playerName(reserve), refused: refused.get(player)! })).join(" ");
      setReplaced({ spec, says });
      begin({ ...next, first: able(g.first), second: able(g.second) }, ""); // the status says it
    } catch {
      begin(next, ""); // the page says what is wrong
    }
  });
  // Other players begin a new game where one is over, or was being played here against one of those who leave; a person
  // may take a seat or leave it at any time, but then the game counts for nobody.
  const seat = (next: Game) => {
    const replaced = (["first", "second"] as const).some((s) => g[s] !== next[s] && g[s] !== "human" && next[s] !== "human");
    if (over || g.resigned || (kept && kept.result !== "*") || (moved.current === id && g.moves.length > 0 && replaced)) return begin(next, say("new game begins"));
    if (g.moves.length === 0) { // what was taken back whole is another game
      forget(id);
      setID(newID());
    }
    set(next);
  };
  const opened = useEvent((id: string) => {
    setID(id);
    setHeard(""); // of the game before
  });
  const chooseFirst = useEvent((first: string) => seat({ ...g, first }));
  const chooseSecond = useEvent((second: string) => seat({ ...g, second }));

  // The other side, or chance, moves.
  const again = useTask((signal) => {
    setError("");
    if (!thinking || !p) return;
    return chooseMove(at(g), p.state.turn === "chance" ? "random" : mover, seed, signal).then((c) => {
      if (c.move) sound("move");
      setHeard(c.move ? say("side plays move", { side: side(p.info, p.state.turn), move: c.move, ply: 0 }) : "");
      set(c.move ? played(g, c.move) : { ...g, resigned: p.state.turn });
    });
  }, (e) => {
    setHeard(""); // the move before was told with who is choosing
    setError(message(e));
  }, [thinking, JSON.stringify(toQuery(g))]);

  useEffect(untilOver((signal) => addEventListener(followed, () => setHeard(""), { signal })), []); // who follows a link hears nothing of the game before
  useEffect(() => setLit(noneLit), [g.spec]);
  useKeptFocus(`${id} ${p ? g.moves.length : ""} ${over && g.resigned}`);

  // A hint stays where the game of the address gets its own spec, and one that is asked for as soon as it can be.
  useLayoutEffect(() => {
    setTip(null);
    setMissed("");
    found.current = null;
    want("");
    tipTask.stop();
  }, [JSON.stringify(toQuery({ ...g, spec: p?.info.spec ?? g.spec }))]);

  const [swapped, setSwapped] = useStored("swapped", ""); // who of two at this screen plays first
  // The game is kept as soon as the page shows it: what is forgotten then stays so.
  useLayoutEffect(() => {
    if (!p || g.moves.length === 0 || !live) return;
    const result = g.resigned ? givenUp(g.resigned) : p.state.result;
    keep({ id, game: g.spec, title: p.info.title, seats: p.info.seats, start: g.start, moves: g.moves, first: g.first, second: g.second, resigned: g.resigned, result, paid: p.state.payoff !== undefined, linked: moved.current !== id, mixed, swapped: atOneScreen(g) && swapped !== "", when: Date.now() });
  }, [loaded.current, JSON.stringify(toQuery(g)), id]);

  const play = (move: string) => {
    if (!p || !yours) return;
    moved.current = id;
    sound("move");
    setHeard(say("side plays move", { side: side(p.info, p.state.turn), move, ply: !live && g.ply }));
    set(played(g, move));
  };
  const squares = p ? bySquare(p, lifted) : new Map<number, string[]>();
  // miss says why a square can't be played, and shakes the board.
  const miss = (why: string) => {
    setHeard("");
    setMissed(why);
    if (!quiet()) document.querySelector(".board")?.animate([0, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` })), 240);
  };
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (!p && shown) early.current = i;
    else if (!p || thinking) setHeard(error || say("wait for the move"));
    else if (over) setHeard(say("the game is over"));
    else if (!moves) miss(unplayable(p, i));
    else press(i, moves, play);
  };
  // A press while the position is on its way counts once it is there.
  const early = useRef(-1);
  useEffect(() => {
    const i = early.current;
    if (!p || i < 0) return;
    early.current = -1;
    if (yours && i < (p.info.squares?.length ?? 0)) onSquare(landing(p.info, squares, i));
  }, [p]);
  const resign = () => {
    setHeard(""); // what was heard before is over
    if (p) set({ ...g, resigned: p.state.turn });
  };
  const undoable = g.ply > 0 || g.resigned !== "";
  const undo = () => undoable && takenBack(g).then((next) => {
    if (over && live) return put(next, say("taken back")); // the game that ended stays in the score
    setHeard(say("taken back"));
    set(next);
  }, (e) => setError(message(e)));
  // Asked for another hint while it looks for a move, it goes on looking.
  const ask = (strength: Strength) => {
    if (!p || !yours) return;
    setShowing(false); // its frames mean something else
    if (found.current) return setTip(hint(found.current, p, strength));
    const looking = asked.current !== "";
    want(strength);
    if (looking) return;
    setError("");
    const signal = tipTask.start();
    best(g, signal).then((b) => {
      if (signal.aborted) return;
      found.current = b;
      setTip(hint(b, p, asked.current || strength));
    }, (e) => signal.aborted || setError(message(e))).then(() => signal.aborted || want(""));
  };
  const next = following(tip?.strength);
  const toggle = () => {
    setTip(null);
    setShowing(!showing);
  };
  useLayoutEffect(untilOver((signal) => addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, select, textarea, dialog")) return;
    if (e.key === "u") undo();
    else if (e.key === "v") toggle();
    else if (e.key === "h") ask(next);
    else if (e.key === "x" || e.key === "o") setMark(e.key);
  }, { signal })));
  const quitter = live && over ? player(g, g.resigned) : "";
  const why = useWhy(quitter.startsWith("brain:") ? quitter.slice(6) : "", g);
  const end = p ? outcome(p, live ? g.resigned : "") : "";
  const how = end && live && seatOf(g) && p!.state.payoff === undefined ? ({ [seatOf(g)]: "won", draw: "" }[resultOf(g, p!)] ?? "lost") : "";
  const told = (text: string): string => (how === "won" && own ? say("you won as", { how: text }) : how === "lost" ? say("you lost as", { how: text }) : text);
  // A move that the server has not answered to is on its square, and waits if that is away.
  const sending = shown ? onItsWay(loaded, g.moves.slice(0, g.ply)) : "";
  const waiting = loaded.error && loaded.away ? sending : "";
  const waits = sending ? squareIndex(shown!, sending) : -1;
  // Nobody is choosing where that has failed.
  const line = waiting ? say("move waits until the server answers", { waiting }) : thinking && !error ? (p?.state.turn === "chance" ? say("chance is drawn") : say("side is choosing", { side: side(p?.info, p?.state.turn ?? ""), player: playerName(mover) })) : p ? (yours && live && seatOf(g) ? say("your turn", { status: status(p) }) : told(status(p, live ? g.resigned : "", why))) : "";

  // Before the first move the other side may be known not to play this game; from other positions it may.
  const rival = yours && g.moves.length === 0 && !g.start && refusal.known && refusal.refused.has(player(g, other(p.state.turn))) ? other(p.state.turn) : "";

  const advice = missed ? missed : wanted ? say("looking for a hint") : tip ? tip.text : replaced.says && replaced.spec === g.spec && g.moves.length < 3 ? replaced.says : "";
  const left = useMemo(lastLeft, [id]);
  const online = useMemo(() => heldSeats().filter((h) => !h.over).slice(0, most), [id]);
  const back = g.moves.length === 0 ? left : null; // whoever comes back knows how to begin

  const Tree = useLatest(shown?.info.drawn ?? "", async () => (shown?.info.drawn === "tree" ? (await import("./searchpage")).GameTree : null)).data;
  const wide = useWide();
  const deep = levelsOf(shown?.info.squares ?? []).length > 1;
  const beside = deep && wide; // what can be done stands there
  const hello = g.moves.length > 0 ? (beside && shown?.info.rules) || " " : yours && shown?.info.squares?.length && (!back || g.spec !== usualGame) ? welcome(g, shown.info) : " ";

  const undoing = <button type="button" title={say("key anywhere", { key: "u" })} onClick={undo} disabled={!undoable}>{say("undo")}</button>;
  const dock = (
    <>
      <div class="row actions">
        {undoing}
        <button type="button" title={say("key anywhere", { key: "h" })} disabled={!yours} onClick={() => ask(next)}>{hintNames[next]}</button>
        <button type="button" title={say("key anywhere", { key: "v" })} aria-pressed={showing} onClick={toggle}>{say("values")}</button>
        {!over && <button type="button" disabled={!yours || !live || g.moves.length === 0} onClick={resign}>{say("resign")}</button>}
        <button type="button" disabled={g.moves.length === 0} onClick={() => begin(g, say("new game begins"))}>{say("new game")}</button>
      </div>
      <p class={advice ? "tip" : "unseen"} role="status" tabIndex={advice.length > 90 ? 0 : undefined}>{advice}</p>
      {beside && !advice && hello && <p class="tip">{hello}</p>}
    </>
  );

  const failures = (
    <>
      <Failure text={loaded.error} missing={noGame(loaded, g.spec)} again={loaded.again}>
        {waiting ? <TakeBack waiting={waiting} onBack={() => { setHeard(say("taken back")); set({ ...g, moves: g.moves.slice(0, g.ply - 1), ply: g.ply - 1 }); }} />
          : <button type="button" onClick={() => begin({ ...g, spec: "ttt", start: "" }, "")}>{say("play tic tac toe")}</button>}
      </Failure>
      <Failure text={error} again={again}>
        {mover !== reserve && thinking && p && <Instead g={g} seat={p.state.turn} onChoose={set} />}
      </Failure>
    </>
  );
  const [panel, setPanel] = useState<Element | null>(null); // beside the board, for boards in space
  const ending = over && p && live ? (
    <Ending key={`${id} ${g.moves.length}`} g={g} p={p} own={own} counts={!g.start && !mixed && own} undo={undoing} dock={wide ? null : dock} onBegin={begin} onBack={(ply) => put({ ...g, moves: g.moves.slice(0, ply), ply, resigned: "" }, say("back before move n", { n: ply + 1 }))} onReview={(ply) => go({ page: "explore", query: toQuery({ ...g, ply: ply ?? g.ply }) })} />
  ) : null;

  return (
    <div class="page two play acted">
      <section class="main-part" aria-label={say("game")}>
        <Titled text={headingOf(g.spec, shown?.info)} stands={shown && !loaded.error && g.moves.length > 0 ? status(shown, live ? g.resigned : "") : ""} info={shown?.info} />
        <p class={`statusline ${end ? "ended" : ""}`}>{shown && <Turn info={shown.info} turn={end ? "" : shown.state.turn} />}{line || " "}</p>
        <Opponent g={g} ended={end !== ""} onChoose={seat} />
        <Announce text={p || waiting ? `${live ? heard : movesBack(g)} ${line}` : ""} />
        {online.length > 0 && <div class="card lefts noprint">{online.map((h) => <LeftOnline key={h.id} h={h} />)}</div>}
        {rival && <Failure text={say("player doesn't play this", { player: playerName(player(g, rival)), refused: refusal.refused.get(player(g, rival))! })}><Instead g={g} seat={rival} onChoose={set} /></Failure>}
        {!shown && failures}
        {!shown && !loaded.error && <div class="waiting" />}
        {shown && (shown.info.squares?.length ? <BoardOf p={shown} last={squareIndex(shown, g.moves[g.ply - 1])} sent={waits >= 0 ? coming(shown, sending) : undefined} zone={waits >= 0 ? new Set([waits]) : lifted >= 0 ? new Set([lifted]) : (tip?.squares ?? lit.squares)} zoneSays={waits >= 0 ? say("waits to be sent") : lifted >= 0 ? say("lifted") : tip ? say("hint") : say("in the winning set")} notes={p ? notesOf(rows, p, choosesMark(p) ? mark : "", lifted) : undefined} busy={!p || thinking} lost={how === "lost"}
          label={say("board of title arrow", { title: shown.info.title, columns: keyColumns(shown.info), proof: false, more: true })} legal={p && !over && !thinking ? squares : new Map<number, string[]>()} onPlay={onSquare} />
          : <><TreeMoves position={shown} path={g.moves.slice(0, g.ply)} notes={treeNotes(rows)} onPlay={play} />{Tree ? <Tree at={at(g, 0)} chance={shown.info.chance} path={g.moves.slice(0, g.ply)} /> : shown.info.drawn === "tree" && <div class="treebox whole" />}</>)}
        {shown && (
          <>
            {shown.info.squares?.length && !over ? <OtherMoves position={shown} notes={treeNotes(rows)} onPlay={play} /> : null}
            <MarkChoice p={shown} value={mark} onChange={setMark} />
            {(ending && !wide) ? ending : <Within into={beside ? panel : undefined} of="dock">{dock}</Within>}
            {failures}
            {over && !live && <div class="row"><button type="button" onClick={() => begin(g, say("new game begins"))}>{say("play again")}</button></div>}
            {showing && <Legend info={shown.info} guessed={rows.some((r) => r.shade.includes("guess"))} />}
            {!beside && !advice && !(over && live) && (!back || g.spec !== usualGame) && <p class="tip">{hello}</p>}
            {back && <Left k={back} />}
            <div class="card">
              <div class="spread"><h2>{say("moves")}</h2><Share query={toQuery(g)} played={() => keptGames().find((k) => k.id === id && !k.linked)?.when} /></div>
              <Moves game={g} onPly={(ply) => set({ ...g, ply })} />
              <div class="row">
                <button type="button" onClick={() => go({ page: "explore", query: toQuery(g) })}>{say("explore from here")}</button>
                <a class="button" href="puzzles?id=daily">{say("the puzzle of the day")}</a>
              </div>
              {!live && yours && <p class="muted">{say("play a move")}</p>}
            </div>
          </>
        )}
      </section>
      {/* The side comes with the board: it would move when a small one takes the place kept for it. */}
      {known && (shown || loaded.error) && (
        <section class="side-part" aria-label={say("setup and moves")}>
          <Score g={g} info={shown?.info} swapped={swapped !== ""} version={`${id} ${loaded.current} ${g.moves.length} ${g.resigned}`} />
          {beside && <div class="card panel" ref={setPanel} />}
          <Slot over={wide && ending}><Gallery current={g.spec} ready={known !== null} /></Slot>
          <Card kind="choices" title={say("game and players")}>
            <GameChoice id="game" known={known} spec={g.spec} onChoose={choose} />
            {shown && <Rules info={shown.info} />}
            {shown && <AllSets key={g.spec} info={shown.info} lit={lit} onShow={setLit} />}
            <div class="pair">
              <PlayerChoice id="first" label={say("side first", { side: side(shown?.info, "first") })} known={known} refused={refusal.refused} game={g.spec} spec={g.first} onChoose={chooseFirst} />
              <PlayerChoice id="second" label={say("side second", { side: side(shown?.info, "second") })} known={known} refused={refusal.refused} game={g.spec} spec={g.second} onChoose={chooseSecond} />
            </div>
            <div class="row">
              <button type="button" onClick={() => { if (atOneScreen(g)) setSwapped(swapped ? "" : "1"); begin({ ...g, first: g.second, second: g.first }, say("new game begins swapped")); }}>{say("new game sides swapped")}</button>
              <button type="button" onClick={() => go({ page: "online", query: { game: g.spec, from: g.start } })}>{say("play somebody online or a bot")}</button>
            </div>
          </Card>
          <Sheets game={g.spec} />
          <Shelf current={id} onOpen={opened} version={`${id} ${loaded.current} ${g.moves.length} ${g.resigned}`} />
        </section>
      )}
    </div>
  );
}

// Instead offers a player that plays every game in the place of the one in a seat.
const Instead = ({ g, seat, onChoose }: { g: Game; seat: string; onChoose: (next: Game) => void }) => (
  <button type="button" onClick={() => onChoose({ ...g, [seat]: reserve })}>{say("let player play instead", { player: playerName(reserve) })}</button>
);

const gameOf = (k: Kept): Game => ({ spec: k.game, start: k.start, moves: k.moves, ply: k.moves.length, first: k.first, second: k.second, resigned: k.resigned, names: k.names });

// Left leads whoever comes back to the game that was left.
function Left({ k }: { k: Kept }) {
  const g = gameOf(k);
  return (
    <a class="card left noprint" href={formatRoute({ page: "play", query: toQuery(g) })}>
      <Picture spec={k.game} start={k.start} moves={k.moves} />
      <span class="grow"><span class="muted">{say("the game you left")}</span><b>{capital(nameOf(k.game) ?? k.title)}</b><span>{say("n moves so far", { n: k.moves.length })}</span></span>
      <span class="go">{say("go on")}</span>
    </a>
  );
}

// LeftOnline leads, in a line, to a game with somebody elsewhere that goes on, or has not begun.
function LeftOnline({ h }: { h: Held }) {
  const { says } = useHeld(h, true);
  return (
    <a class="left" href={formatRoute({ page: "online", query: { id: h.id } })}>
      <span class="grow"><b>{capital(h.title)}</b> <span class="muted">{say("online as it stands", { says })}</span></span>
      <span class="go">{say("go on")}</span>
    </a>
  );
}

// welcome says how to begin, and of a game that not everybody knows how it is played.
const welcome = (g: Game, info: Info): string => {
  const seat = seatOf(g);
  const n = levelOf(opponentOf(g));
  const rules = g.spec !== usualGame && info.rules;
  return seat === "" ? say("two players one screen", { rules })
    : say("you are side", { side: side(info, seat), more: !rules && n > 0 && n < levelNames.length, rules });
};

// beside moves the focus by arrow keys among buttons of which one is a stop of Tab.
function beside(e: KeyboardEvent) {
  const by = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[e.key] as "nextElementSibling" | undefined;
  const to = by && (e.target as Element)[by];
  if (to instanceof HTMLElement) to.focus();
}

// Opponent chooses who is played against: a level, or a person at the same screen. The
// next game goes on at the level that was chosen last in the same kind of game. Levels that were beaten in it have a tick.
function Opponent({ g, ended, onChoose }: { g: Game; ended: boolean; onChoose: (next: Game) => void }) {
  const now = seatOf(g) === "" ? (g.first === "human" ? "human" : "") : opponentOf(g);
  const levels = levelNames.map((name, i) => ({ spec: level(i + 1), name }));
  const known = now === "human" || levels.some((l) => l.spec === now);
  const [all, setAll] = useState(beaten);
  useEffect(() => setAll(beaten()), [ended]); // the game that ended is kept by then
  const won = all.get(g.spec);
  const named = levels.find((l) => l.spec === now)?.name ?? (now ? playerName(now) : "");
  return (
    <div class="opponent" role="group" aria-label={say("opponent")}>
      <span class="muted who" title={named}>{now === "human" ? say("two at this screen") : show("opponent is", { player: <b>{named.includes(" ") ? named : <Name text={named || say("none")} />}</b> })}</span>
      <div class="segmented" onKeyDown={beside}>
        {levels.map(({ spec, name }, i) => (
          <button type="button" key={spec} tabIndex={spec === now || (i === 0 && !known) ? 0 : -1} aria-pressed={spec === now} class={won?.has(spec) ? "beaten" : ""} aria-label={say("level n name", { n: i + 1, name, beaten: won?.has(spec) ?? false })} title={name} onClick={() => { keepLevel(g.spec, i + 1); onChoose(against(g, spec)); }}>{i + 1}</button>
        ))}
        <button type="button" tabIndex={now === "human" ? 0 : -1} aria-pressed={now === "human"} onClick={() => onChoose({ ...g, first: "human", second: "human" })}>{say("2 players")}</button>
      </div>
    </div>
  );
}

// useWhy says why a brain, if there is one, has resigned at the end of a game.
function useWhy(brain: string, g: Game): string {
  const ask = async () => {
    if (!brain) return "";
    const { look: l } = await look(brain, g.moves);
    return l.moves.some((m) => m.beads !== undefined) && l.resigns > 0 ? emptyBox : "";
  };
  const { data, current } = useLatest(brain && JSON.stringify([brain, g.spec, g.start, g.moves]), ask);
  return (current && data) || "";
}

// useGameID gives a game one name for as long as it is played on this page, so
// that the shelf holds it once. A link that is followed is another game.
function useGameID(g: Game): [string, (id: string) => void] {
  const named = (of: Game): string =>
    keptGames().find((k) => of.moves.length > 0 && k.game === of.spec && k.start === of.start && k.first === of.first && k.second === of.second && k.moves.join() === of.moves.join())?.id ?? newID();
  const [id, setID] = useState(() => named(g));
  useEffect(untilOver((signal) => addEventListener(followed, () => setID(named(fromQuery(currentRoute().query))), { signal })), []);
  return [id, setID];
}

// rivalOf says against whom a game was played on the server, as far as that is kept.
function rivalOf(k: Kept): string {
  const name = k.names?.[k.online === "first" ? 1 : 0] ?? heldSeat(k.id)?.ended?.name;
  return name ? say("played against name", { name }) : say("played online");
}

// endOf says how a game that is kept ended, of one on the server for who played it here.
function endOf(k: Kept): string {
  if (k.result === "*") return say("n moves so far", { n: k.moves.length });
  if (k.paid) return say("finished");
  if (k.result === "draw") return say("drawn game");
  if (k.online) return say("you won it", { won: k.result === k.online });
  return say("side won", { side: (k.seats ?? ["X", "O"])[k.result === "first" ? 0 : 1]! });
}

const Shelf = memo(({ current, version, onOpen }: { current: string; version: string; onOpen: (id: string) => void }) => {
  const [gone, setGone] = useState(0);
  const [list, setList] = useState<Kept[]>([]);
  useEffect(() => setList(keptGames()), [version, gone]);
  const open = (k: Kept) => {
    if (k.online && heldSeat(k.id)) return go({ page: "online", query: { id: k.id } });
    onOpen(k.id);
    go({ page: "play", query: toQuery(gameOf(k)) }, true);
  };
  if (list.length === 0) return null;
  return (
    <div class="card noprint">
      <div class="spread"><h2>{say("your games")}</h2><a href="move">{say("to another device")}</a></div>
      <ul class="shelf">
        {list.slice(0, 30).map((k) => {
          const made = when(k.when);
          return (
            <Entry key={k.id} current={k.id === current} name={`${capital(nameOf(k.game) ?? k.title)}${k.online ? ` ${rivalOf(k)}` : ""}, ${endOf(k)}`} about={made} onOpen={() => open(k)}>
              <Remove label={say("forget this game of title", { title: k.title, made })} onYes={() => { forget(k.id); setGone(gone + 1); }} />
            </Entry>
          );
        })}
      </ul>
    </div>
  );
});
