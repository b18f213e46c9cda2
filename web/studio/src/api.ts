// How to ask the server. The types of questions and answers are in schema.ts, which is made
// from the API's own document.
import type {
  AblateResult, CheckLine, ChooseReply as Choice, CountReply, GameFile, GamesReply as Games, Handover, HandoverRequest, Info, ItemsReply, JournalGame as ContestGame, JobView, Judged, JudgeLine, OpenReply as Opened,
  OpenRequest as Offer, PlayersReply, PositionReply as Position, ProofEntry as Proof, Reproduced, SearchReply, SheetReply, Standings, State, View as Table, Walk,
} from "./schema";
import { read, say } from "./text";
export type {
  AblateResult, AblateRow, CheckLine, ChooseReply as Choice, ClaimOfSeat as ProofClaim, Column as ClaimColumn, Facts as Claim, GameFile, GameOffer, GamesReply as Games, Handover, Info, JobView, JournalGame as ContestGame, Judged,
  JudgedMove, Judgement, JudgeLine, Kind, Known, MistakesReply, OpenReply as Opened, OpenRequest as Offer, PlayerForm, PositionReply as Position, ProofEntry as Proof, Record as SheetGame, Reproduced, Row as StandingRow,
  Score, SearchLine, SeatView, Sizes, Square, Standings, State, Terms as Clock, Verdict as ProofCheck, View as Table, Walk,
} from "./schema";

export type Job<Args = unknown> = Omit<JobView, "args"> & { args?: Args };
export type Turn = State["turn"];
export type Result = State["result"];
export type Phrase = NonNullable<Table["said"]>["phrase"];
export type SearchResult = Omit<SearchReply, "trace"> & { trace?: Trace };

// At is a point in a game: a start, empty for the game's own, and moves.
export interface At { game: string; position?: string; moves?: string[] }

export interface SearchOptions {
  algorithm: string;
  depth?: number;
  memo?: string;
  symmetry?: string;
  order?: string;
  stop?: string;
  deepen?: string;
  eval?: string;
  sims?: number;
  explore?: number;
  proof?: string;
  time_ms?: number;
  multipv?: number;
  trace?: boolean;
}
// Trace is a recorded tree: so many nodes and cut branches of it, so many omitted, and how many branches were cut in all.
export interface Trace { game: string; nodes: number; omitted: number; cuts?: number; passes: TraceNode[] | null; simulations?: Simulations }
export interface TraceNode {
  move?: string;
  odds?: number;
  position: string;
  turn: Turn;
  kind: "searched" | "leaf" | "probed" | "remembered" | "repeated" | "cut" | "unfinished";
  over?: boolean; // a cut node where the game is over
  alpha: number | null;
  beta: number | null;
  value: number | null;
  won?: Turn; // where values are scores, and there is none
  bound?: string;
  leaf?: number;
  visits?: number; // simulations, in a tree of mcts
  mean?: number; // of their results
  children?: TraceNode[];
}

// Simulations are the first ones of mcts in their order, and how many more there were: see search/mcts/simulations.go.
export interface Simulations { formula: string; explore: number; half: number; told: Simulation[] | null; untold: number }
export interface Simulation {
  path: { move: string; odds?: number; tried?: Tried[] }[];
  added?: { position: string; turn: Turn; judged?: number };
  ended: "playout" | "judged" | "over" | "proven";
  result: number;
  proven?: { path: string[]; lo: number; hi: number }[];
}
export interface Tried { move: string; visits: number; mean: number; score: number | null; ruled_out?: boolean }

// Problem is a request that the server refused, in words for people.
export class Problem extends Error {
  constructor(message: string, readonly status: number, readonly field = "") {
    super(message);
  }
}

// away reports whether an error is that nobody answered.
export const away = (e: unknown): boolean => (e instanceof Problem && e.status === 0) || (e instanceof DOMException && e.name === "TimeoutError");

// retried is an error after which the same is asked again by itself where nobody answered, which it says then.
export const retried = (e: unknown): unknown => (away(e) ? new Problem(say("the server does not answer", { again: true }), 0) : e);

// gone reports whether an error is that what was asked for is not there.
export const gone = (e: unknown): boolean => e instanceof Problem && e.status === 404;

// conflicts reports whether an error is that what is there does not allow it.
export const conflicts = (e: unknown): boolean => e instanceof Problem && e.status === 409;

const tooMany = 429;

// busy reports whether an error is that the server has too much to do just now.
export const busy = (e: unknown): boolean => e instanceof Problem && e.status === tooMany;

// aborted reports whether an error only says that nobody wants the answer.
export const aborted = (e: unknown): boolean => e instanceof DOMException && e.name === "AbortError";

// message says an error in words.
export const message = (e: unknown): string => (e instanceof Error ? e.message : String(e));

interface ProblemBody {
  title?: string;
  detail?: string;
  errors?: { message?: string; location?: string }[];
}

// ask is the server's answer, which is no refusal.
export async function ask(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch("api/v1/" + path, init).catch((e) => {
    throw aborted(e) ? e : new Problem(say("the server does not answer", { again: false }), 0);
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

export const request = async <T>(path: string, init: RequestInit): Promise<T> => read<T>(await (await ask(path, init)).text());

// refusal reads why the server refused.
async function refusal(response: Response): Promise<Problem> {
  let body: ProblemBody = {};
  try {
    body = read<ProblemBody>(await response.text());
  } catch {
    // Not from our server; the status has to do.
  }
  const reasons = (body.errors ?? []).map((e) => e.message).filter((m) => m);
  const text = reasons.length > 0 ? reasons.join("; ") : (body.detail ?? body.title ?? say("the server answered status", { status: response.status }));
  const place = body.errors?.[0]?.location ?? "";
  return new Problem(text, response.status, place.replace(/^body\./, ""));
}

// lines hands on each line of a stream of JSON.
async function lines<T>(path: string, signal: AbortSignal, tell: (line: T) => void, question?: unknown): Promise<void> {
  const response = await ask(path, question === undefined ? { signal } : { signal, method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part) tell(read<T>(part));
  }
}

const bearer = (key: string): Record<string, string> => (key ? { Authorization: "Bearer " + key } : {});

export const post = <T>(path: string, body: unknown, signal?: AbortSignal, key = ""): Promise<T> =>
  request<T>(path, { method: "POST", headers: { "Content-Type": "application/json", ...bearer(key) }, body: JSON.stringify(body), signal });

// remember keeps the answers to the latest questions, so that walking through
// a game asks nothing twice; briefly, only until they come, for those that ask at once.
// Refusals are not kept.
export function remember<Q, A>(ask: (q: Q) => Promise<A>, briefly = false): (q: Q) => Promise<A> {
  const kept = new Map<string, Promise<A>>();
  return (q) => {
    const key = JSON.stringify(q);
    const known = kept.get(key);
    if (known) return known;
    const answer = ask(q);
    kept.set(key, answer);
    answer.then(() => briefly && kept.delete(key), () => kept.delete(key));
    if (kept.size > 1000) kept.delete(kept.keys().next().value!);
    return answer;
  };
}

const body = (a: At) => ({
  game: a.game,
  ...(a.position ? { position: a.position } : {}),
  ...(a.moves && a.moves.length > 0 ? { moves: a.moves } : {}),
});

export const games = remember((_: null) => request<Games>("games", {}));
const positionOf = remember((q: unknown) => post<Position>("position", q));
export const position = (a: At): Promise<Position> => positionOf(body(a));
// Games that people brought to this server.
export const gameFiles = (): Promise<{ files: GameFile[] }> => request("games/files", {});
export const bringGame = (file: string): Promise<GameFile> => post("games/files", { file });

export const game = remember((spec: string) => post<Info>("game", { game: spec }));
// failed throws what a judge's line says went wrong, if anything did.
export function failed(l: JudgeLine): void {
  if (l.error) throw new Problem(l.error, l.busy ? tooMany : 500);
}

// What the judge said last of positions, so that walking through a game asks nothing twice.
const said = new Map<string, Judged>();

// judge tells of each answer about a position, the last of which is done. Those of before
// are not asked for again, unless anew.
export async function judge(a: At, time_ms: number, signal: AbortSignal, tell: (j: Judged) => void, anew = false): Promise<void> {
  const key = JSON.stringify([a, time_ms]);
  const known = said.get(key);
  if (known && !anew) return tell(known);
  await lines<JudgeLine>("judge?format=ndjson", signal, (l) => {
    failed(l);
    if (!l.judged) return;
    if (l.judged.done) said.set(key, l.judged);
    tell(l.judged);
  }, { ...body(a), time_ms });
  if (said.size > 1000) said.delete(said.keys().next().value!);
}

// review tells of each move that is judged, each position so many milliseconds, and at the end of all.
export const review = (a: At, time_ms: number, signal: AbortSignal, tell: (l: JudgeLine) => void): Promise<void> =>
  lines("judge?format=ndjson", signal, tell, { ...body(a), time_ms, review: true });

export const search = (a: At, o: SearchOptions, signal?: AbortSignal): Promise<SearchResult> =>
  post<SearchResult>("search", { ...body(a), ...o }, signal);

export const choose = (a: At, player: string, seed: number, signal?: AbortSignal): Promise<Choice> =>
  post<Choice>("choose", { ...body(a), player, seed }, signal);

export const ablate = (a: At, o: { depth: number; stop: string; deepen: boolean; eval: string }, signal?: AbortSignal): Promise<AblateResult> =>
  post<AblateResult>("ablate", { ...body(a), ...o }, signal);

export const countGame = remember((spec: string) => post<CountReply>("count", { game: spec }));

// Score sheets, and what moves to another device.

export const readSheets = (text: string, game: string): Promise<SheetReply> => post("sheets", { text, game });
export const giveHandover = (data: string): Promise<Handover> => post("handovers", { data });
export const showHandover = (code: string): Promise<{ there: boolean }> => request(`handovers/${encodeURIComponent(code)}`, {});
export const takeHandover = (code: string): Promise<HandoverRequest> => post("handovers/take", { code: code.trim() });

// Printed claims and what comes of them.

export const claims = remember((_: null) => request<ItemsReply>("reproduce", {}));
export const reproduce = remember((id: string) => request<Reproduced>(`reproduce/${encodeURIComponent(id)}`, { method: "POST" }));

// Games between visitors of the server.

export const bots = (): Promise<{ bots: string[] }> => request("bots", {});
export const played = (): Promise<{ sessions: Table[] }> => request("sessions?played=true", {});
export const tables = (ids: string[]): Promise<{ sessions: Table[] }> => request("sessions?ids=" + ids.join(), {});
export const seeks = (): Promise<{ sessions: Table[] }> => request("sessions", {});
export const table = (id: string, key = "", signal?: AbortSignal): Promise<Table> => request(`sessions/${id}`, { headers: bearer(key), signal });
// tableAfter is a game that is over, as it stands a second later: who waits for that is seen to be there.
export const tableAfter = (id: string, key: string): Promise<Table> => request(`sessions/${id}?after=0&wait=1`, { headers: bearer(key) });
export const openTable = (o: Offer, key = ""): Promise<Opened> => post("sessions", o, undefined, key);
export const declineTable = (id: string, invite: string): Promise<unknown> => post(`sessions/${id}/decline`, { invite });
export const acceptTable = (id: string, invite: string, name: string): Promise<Opened> => post(`sessions/${id}/accept`, { invite, name });
// silence is after how long without a word from a stream the connection is lost: the server says that it is there
// every 7 seconds. Nor is an answer to a move waited for any longer.
export const silence = 10_000;

export const tableMove = (id: string, key: string, move: string, ply: number): Promise<Table> => post(`sessions/${id}/move`, { move, ply }, AbortSignal.timeout(silence), key);
export const tableDo = (id: string, key: string, verb: "resign" | "draw" | "decline-draw" | "takeback" | "grant-takeback" | "decline-takeback" | "abort" | "claim"): Promise<Table> => post(`sessions/${id}/${verb}`, {}, AbortSignal.timeout(silence), key);
export const tableSay = (id: string, key: string, phrase: Phrase): Promise<Table> => post(`sessions/${id}/say`, { phrase }, AbortSignal.timeout(silence), key);
export const tableStream = (id: string, key: string): string => `api/v1/sessions/${id}/stream?format=sse${key ? "&key=" + encodeURIComponent(key) : ""}`;

// Proofs.

export const proofs = (): Promise<{ proofs: Proof[] }> => request("proofs", {});
export const bringProof = (file: Blob): Promise<Proof> => request("proofs", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
export const checkProof = (id: string, signal: AbortSignal, tell: (line: CheckLine) => void): Promise<void> => lines(`proofs/${id}/check?format=ndjson`, signal, tell);
export const proofFile = (id: string): string => `api/v1/proofs/${id}/file`;
const walkOf = remember(({ id, seat, replies }: { id: string; seat: string; replies: string[] }) =>
  post<Walk>(`proofs/${id}/walk`, { ...(seat ? { seat } : {}), ...(replies.length > 0 ? { replies } : {}) }));
export const walk = (id: string, seat: string, replies: string[]): Promise<Walk> => walkOf({ id, seat, replies });

// Tournaments, which are jobs.

export type Tournament = Job<{ players?: string[]; games?: number; openings?: number }>;

export const startTournament = (game: string, players: string[], games: number, openings: number, clock: string): Promise<Tournament> =>
  post("jobs", { verb: "tournament", game, args: { players, games, openings, ...(clock ? { time_control: clock } : {}) } });
export const standings = (id: string): Promise<Standings> => request(`jobs/${id}/standings`, {});
export const contestGames = (id: string, most: number): Promise<{ count: number; games: ContestGame[] }> => request(`jobs/${id}/games?most=${most}`, {});
export const offeredFor = remember((game: string) => request<PlayersReply>(`players?game=${encodeURIComponent(game)}`, {}), true);
export const savedBrains = remember((game: string) => request<{ brains: { brain: string; learner: string }[] }>(`brains?game=${encodeURIComponent(game)}`, {}), true);

// What the server shows of a cluster of workers; see the package cluster.
export interface ClusterStatus { stage: number; parts: number; done: number; queued: number; aside: number; rate: number; left: number | null; report: { line: string } }
export interface ClusterJob {
  id: string;
  job: { verb: string; game: string; seed: number; args?: unknown };
  priority: string;
  state: string;
  created: string;
  ended?: string;
  error?: string;
  aside?: { name: string; error: string }[];
  files?: { name: string; size: number }[];
  status?: ClusterStatus;
}
export interface ClusterWorker { id: string; host: string; slots: number; since: string; parts: number; failed: number; doing: string[] | null; trouble?: string }
export interface ClusterView {
  snapshot: { version: string; jobs: ClusterJob[]; workers: ClusterWorker[]; queue: { waiting: Record<string, number>; underway: Record<string, number>; bytes: number } };
  trusted: boolean;
}
export const cluster = (): Promise<ClusterView> => request("cluster", {});
export const endClusterJob = (id: string): Promise<ClusterView> => post(`cluster/${id}/cancel`, {});
