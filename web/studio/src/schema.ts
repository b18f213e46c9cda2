// Types of the API's questions and answers, made from its OpenAPI document by TestSchema.

export interface AblateResult {
  alpha: number | null; // where the first window of the algorithms that have one begins; null where it is open
  beta: number | null; // where it ends; null where it is open
  deepened?: boolean; // whether it searched one ply deep, then two, and so on
  depth: number;
  game: string;
  of: number; // how many ways of searching there are
  position: string;
  rows: AblateRow[]; // one for each way of searching, those left out that were not begun when it was stopped
  seconds: number;
  stop: string; // none, best or open
}

export interface AblateRow {
  algorithm: string;
  complete: boolean;
  memory: string; // what is remembered
  nodes: number;
  order: string; // the order of moves
  ratio: number | null; // nodes over those of plain minimax
  seconds: number;
  stored: number;
  symmetry: string; // which symmetric moves are searched once
  value: number | null; // payoff to First; null where it was given up
}

export interface AnswerReply {
  among?: string[]; // the moves that the last of these hints names
  answer?: string; // the right move, once it was found or told
  hints?: string[]; // after a wrong move: each says more than the one before, and none names a move that was wrong
  later?: string; // what is told of a wrong move once the puzzle is over, as it gives the answer away: how the move is answered
  line?: string[]; // where the answer was told: it, and how the puzzle goes on to its end
  marks?: string[]; // the squares that the second of them names
  next?: PuzzleText; // what is to be found then; none where the puzzle is at its end
  refuted?: string[]; // how a wrong move is answered and play goes on; none where that would give the answer away
  reply?: string; // what the other side answers, which lasts longest
  right: boolean; // whether it is the only right move, or one of several, or, where a puzzle goes on, whether it still wins as soon
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  says: string; // the same in words, with what is known of the move
  slower?: boolean; // whether it wins by force, but not as soon as is asked for
  solver?: Solver; // who solves, after this; none where nothing is kept
}

export interface BrainReply {
  against: string;
  draws: number;
  game: string;
  games: number;
  learner: string;
  losses: number;
  seats: string;
  shown: unknown; // what it has learned: summary, weights, boxes, positions and the last game, as far as its kind has them
  wins: number;
}

export interface Catalogue {
  against: Offer[]; // opponents that can play the game; any player's spec can be given
  exact: boolean; // whether exams are exact; else the game has too many positions and a curve is of a sample
  game: string;
  learners: LearnerForm[];
  seats: Offer[]; // which side the learner plays, the usual first
  starts: Offer[]; // how the start of each game is chosen; +N adds N random moves
  usual: UsualTraining; // what is trained where nobody says otherwise
}

export interface Changed {
  after: Looked[];
  before: Looked[];
  box?: number; // the number of the matchbox that was opened
  explores?: boolean;
  learner: boolean; // whether the learner made it
  move: string;
  position: string;
  turn: "first" | "second" | "chance"; // whose move it is
}

export interface CheckLine {
  result?: Verdict;
  seconds: number;
  share: number;
}

export interface ChooseReply {
  move: string; // empty where the player resigns
  owned: number[][]; // complete winning sets, each as squares by their order in info.squares
  state: State;
  terms?: Term[]; // why a static player moved so: features, and its weights
  turn: "first" | "second" | "chance"; // who moved
}

export interface ClaimOfSeat {
  at_start?: boolean; // whether pairs and the potential settle the proof's start, so that no reply needs to be played
  nodes: number; // positions in its strategy; 0 where strategy stealing shows the claim
  pairings: number; // nodes that end with a pairing
  pairs?: number; // how many pairs do
  plies?: number; // where the strategy is of moves alone: within how many plies
  potential: number; // nodes that end by the Erdős–Selfridge potential
  seat: "first" | "second"; // the side
  settled: number; // nodes where nothing else can happen any more
  sum?: string; // the potential there and the most that a move adds to it, a fraction below 1
  threats: number; // nodes that are won by continuous threats
  wins: boolean; // that it wins, not only that it does not lose
}

export interface Column {
  commands?: string[]; // what shows the same
  figures: Figure[]; // named results
}

export interface Considered {
  box?: number; // the number of the matchbox that was opened
  explores?: boolean;
  learner: boolean; // whether the learner made it
  move: string;
  moves: Looked[];
  position: string;
  terms?: Term[];
  turn: "first" | "second" | "chance"; // whose move it is
}

export interface CountReply {
  by_ply: CountedPly[]; // the counts after each number of plies; none where play can go in circles
  classes?: number; // the same up to symmetry, where that can be told
  games?: number; // sequences of moves to an end; left out where play can go in circles
  most_games?: number; // the same of games
  most_positions?: number; // where not all was counted, a number that positions do not exceed
  nodes?: number; // nodes of the game tree; left out where play can go in circles
  positions: number; // positions that can be reached
  whole: boolean; // whether all was counted; else the numbers are those of the plies in by_ply
}

export interface CountedPly {
  classes: number; // the same up to symmetry; as many where that can't be told
  games?: number; // games that end here
  ply: number;
  positions: number;
}

export interface DailyReply {
  day: string; // in UTC
  puzzle: PuzzleView;
}

export interface Facts {
  citation: string; // a line to cite
  claim: string; // what is printed, in words
  document: string; // where the claim is printed, in a word
  id: string; // the item
  long?: boolean; // it has to be asked for
  seconds: number; // about how long it takes on one core
  section: string; // section, slide or exercise
  title: string; // where the claim is printed
}

export interface Faults {
  crashed: number; // by crashing
  illegal: number; // by illegal moves
  last?: string; // the reason of the latest
  time: number; // on time
}

export interface Figure {
  error?: number; // its standard error, where it is sampled
  name: string;
  text?: string; // the result in words
  value: number; // the result, where it is a number
}

export interface GameFile {
  spec: string; // by which it can be played here
  title: string;
}

export interface GameOffer {
  also?: string[]; // names that open it too
  chance?: boolean; // whether it has chance moves
  front?: boolean; // whether it is among the first to be shown
  name: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  shelf: string; // under which it is listed
  shown?: string[]; // moves after which its board shows what it is
  spec: string; // how it is named
}

export interface GamePlayer {
  about: string; // what it is, in words
  form: string; // how its specs are written
  name: string; // the word that its specs begin with
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
}

export interface GamesReply {
  cluster?: boolean; // whether the server shows a cluster of workers
  games: Kind[];
  players: PlayerForm[];
}

export interface Handover {
  code: string; // to be typed in another browser, once
  expires: string;
}

export interface HandoverRequest {
  data: string; // what the browser keeps; the server does not read it
}

export interface Info {
  bars?: number[][]; // for each winning set, the squares that its owner must not have
  chance: boolean;
  drawn: "grid" | "levels" | "nine" | "points" | "tree";
  evaluations?: string[]; // how searches can judge positions at a depth limit, the usual one first
  falls?: boolean; // marks fall to the lowest free square
  lines?: number[][];
  loopy: boolean;
  max_plies: number;
  places?: [number, number][]; // from the left and from the top, 0 to 1; without them by column and row
  positional: boolean;
  rules: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  seats: [string, string];
  shape?: string; // the shape whose copies win, its rows from the top, x for a cell, joined with /
  spec: string;
  squares?: Square[];
  start: string;
  stones?: boolean; // marks are stones on the crossings of a grid's lines
  symmetries: string;
  title: string;
  turns?: Turns; // what comes of a move, where a program can know it without asking
  unseen?: boolean; // the winning sets can't be guessed from the board
  wraps?: boolean; // a grid's left edge is joined to its right one, the top to the bottom
}

export interface ItemsReply {
  items: Facts[];
}

export interface JobBrain {
  brain: string; // what to call it: brain: and this is a player
  games: number;
  run: number; // from 1
}

export interface JobFile {
  name: string;
  size: number; // in bytes
}

export interface JobView {
  args?: unknown;
  brains: JobBrain[]; // what its learners had learned on the way
  data?: unknown; // how it goes, in the verb's own terms: a cross table, proof numbers
  done: number; // of total units of work: games, trials, positions
  ended?: string;
  error?: string; // why it failed
  files: JobFile[]; // what it made, once it is done; of a training also once it is stopped
  game: string;
  id: string;
  line: string; // how far it has come, for people
  made: string;
  mine: boolean; // whether who asks may change it
  name?: string;
  pace: number;
  proof?: string; // the id of its certificate among the server's proofs
  said?: { [key: string]: Message[] }; // the message of the line
  seed: number;
  state: "queued" | "running" | "paused" | "done" | "failed" | "cancelled";
  total: number;
  verb: string;
}

export interface JournalGame {
  first: string;
  game: string;
  moves: string[];
  number: number; // in the tournament, from 1
  opening: number; // how many of the moves were given
  reason?: string;
  result: "first" | "second" | "draw" | "*";
  second: string;
  start?: string; // the position that it began from, if not the game's own
  termination: string;
}

export interface JudgeLine {
  busy?: boolean; // whether it ends because the server has too much to do just now
  error?: string; // why the stream ends early
  judged?: Judged; // of a position: each line knows more than the one before
  move?: Judgement; // of a review: a move
  review?: Review; // the last line of a review: all of it
  said?: { [key: string]: Message[] }; // the message of the error: a key and arguments, for other languages
}

export interface Judged {
  certain: boolean; // whether the hint is certainly best
  done: boolean; // no better answer follows
  estimate?: number; // a guess of the worth to the first side inside the interval, where it is no single value
  game: string;
  hi: number; // the most; equal to lo where the worth is known
  hint: string; // a move to play; empty where there is none to choose
  left_out?: string[]; // sources that failed, and why
  line?: string[]; // moves that show it
  lo: number; // the least that the position can be worth to the first side
  moves: JudgedMove[]; // best first
  noise?: number; // the guess's standard error: how far a search with other draws would end, not how far the truth is
  plies?: number; // to the end under best play, where that is known
  position: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  searched?: number; // positions or simulated games behind the guess
  seconds: number;
  source?: string; // what shows the interval; empty where nothing is known
  standing: string; // what the position is worth, in words
  turn: "first" | "second" | "chance";
  value?: string; // first, second or draw, where that is known
  which: string; // the hint in words
  why: string; // the reasons, in words
  within?: number; // the most plies that a win takes, where no more is known
}

export interface JudgedMove {
  best: boolean; // it keeps what the position is worth, for certain, and as far as lengths are known for as long as is best
  estimate?: number; // a guess of the worth to the first side inside the interval, where it is no single value
  gives?: boolean; // another move is better, for certain
  hi: number; // the most; equal to lo where the worth is known
  line?: string[]; // moves that show it
  lo: number; // the least that the position can be worth to the first side
  move: string;
  noise?: number; // the guess's standard error: how far a search with other draws would end, not how far the truth is
  plies?: number; // to the end under best play, where that is known
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  searched?: number; // positions or simulated games behind the guess
  shade: "good" | "even" | "bad" | "none";
  short: string; // the same for a small square: + wins and − loses in so many plies, = draws; ≥ does not lose, ≤ does not win; a number is an estimate
  source?: string; // what shows the interval; empty where nothing is known
  text: string; // its worth to the mover in words
  value?: string; // first, second or draw, where that is known
  within?: number; // the most plies that a win takes, where no more is known
}

export interface Judgement {
  after: Known; // the value after it
  before: Known; // the value of the position before the move
  better: string[]; // moves known to keep what it gave away or missed, best first; else the likely better one
  certain: boolean; // whether it is certain that the move gave something away, or that it did not
  gave: boolean; // it gave something away: probably, where that is not certain
  line: string[]; // how play may go on with one of them
  missed: boolean; // a win was certain before it, and whether it still is, is not known
  move: string;
  ply: number;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  says: string; // what the position after it is worth, in words
  turn: "first" | "second" | "chance"; // whose move it is
  why: string; // what it gave away and let the other side do, in words; empty where it gave nothing away
}

export interface Kind {
  example?: string; // a spec
  kind: string; // the word that its specs begin with
  levels?: LevelFigure[]; // how strong the levels were measured to be in its games
  name: string; // what it is, in words
  offers?: GameOffer[]; // games worth a name of their own in a list
  only?: GamePlayer[]; // players that play only games of the kind
  options: string[]; // what may follow after +
  proofs: boolean; // whether games without chance can be proved
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  same?: string; // what stands for the kind in its games' own specs, where that is another word
  sizes?: Sizes; // of a game of any size
  solved: boolean; // whether the example is solved at once
  spec: string; // how its specs are written
}

export interface Known {
  estimate?: number; // a guess of the worth to the first side inside the interval, where it is no single value
  hi: number; // the most; equal to lo where the worth is known
  line?: string[]; // moves that show it
  lo: number; // the least that the position can be worth to the first side
  noise?: number; // the guess's standard error: how far a search with other draws would end, not how far the truth is
  plies?: number; // to the end under best play, where that is known
  searched?: number; // positions or simulated games behind the guess
  source?: string; // what shows the interval; empty where nothing is known
  value?: string; // first, second or draw, where that is known
  within?: number; // the most plies that a win takes, where no more is known
}

export interface LearnerForm {
  about: string;
  name: string;
  refused?: string; // why it can't learn this game
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  settings: LearnerSetting[];
  start: string; // how games begin where nobody says so
}

export interface LearnerSetting {
  about?: string;
  key: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  takes?: Takes;
  usual_with?: { [key: string]: string }; // by other options
  value: string;
}

export interface LessonView {
  answered?: Term[]; // why a static player, in the teacher's place, made its last move
  considered?: Considered; // what the learner makes of the position of its last move: beads, worths, features
  depth?: number; // plies that a learner which searches looks ahead
  features: string[]; // of a learner that is a weighted sum
  moves: string[]; // all of them, chance's included
  over: boolean;
  owned: number[][]; // complete winning sets, each as squares by their order in the game's squares
  ply: number; // how many moves there are
  resigned: boolean; // whether a side gave up
  result: "first" | "second" | "draw" | "*"; // * while it goes on
  seat: "first" | "second"; // the learner's
  start: string; // the position that it began from
  state: State;
  steps: Step[]; // the moves of both sides, with the box that the learner drew from
  taught?: Taught; // what the game changed, once it is over
  weights: number[][]; // how its weights were when the game began, after each of its moves, and at the end
}

export interface LevelFigure {
  elo: number; // over the level below, in games against it
  error: number; // half of the 95 % interval of elo
  game: string;
  games: number;
  level: number; // from 1 to 5
  slips: number; // the probability that it moves as a beginner would
}

export interface LookReply {
  look: unknown; // the moves with odds, and where the brain has them worth and beads
  state: State;
}

export interface Looked {
  beads?: number; // beads of the move, of matchboxes
  move: string;
  near?: Near[]; // stored examples that the worth is taken from
  odds: number; // the probability that it makes the move
  worth?: number; // what the move is thought to be worth to who makes it
}

export interface Message {
  args?: { [key: string]: unknown }; // its arguments by name: texts, numbers, messages, lists of texts
  key: string; // which message it is
}

export interface MistakeView {
  among: string[]; // the moves that the last hint names
  game: string;
  goal: string; // what is to be found
  hints: string[]; // each says more than the one before; one where three moves or fewer are left to choose from
  id: string;
  marks?: string[]; // the squares that the second hint names: of a line that is to be completed, or stopped
  played: string; // the move that was made
  ply: number; // how many of the game's moves were made before it
  position: string;
  rating: number; // how hard it is: it begins with an estimate and changes with those who try
  right?: number; // how many moves are right, where they are several, as in puzzles of mistakes
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field, for each hint one: keys and arguments, for other languages
  theme: string;
  title: string; // what the game is called
}

export interface MistakesReply {
  puzzles: MistakeView[]; // positions in which one move was right, or several were, and another was made; they can be answered for a while
}

export interface Near {
  apart: number; // squares that differ
  position: string;
  worth: number; // what the example is worth
}

export interface Offer {
  about: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  spec: string;
}

export interface OfferedPlayer {
  refused?: string; // why it doesn't play this game
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  spec: string;
}

export interface OnNine {
  most?: boolean; // at the end more boards win
  open?: boolean; // won boards are played in until they are full
}

export interface OpenReply {
  invite?: string; // lets the other side in
  key?: string; // of the seat, for people; bots use their token
  seat: "first" | "second";
  session: View;
}

export interface OpenRequest {
  after?: string; // a game that is over, in which you have a seat: this one is for its other side
  clock?: Terms; // without it there are no clocks
  game: string; // the game's spec
  name?: string; // how to be called, in characters that can be seen, and not as a connected bot is; bots have their own name
  position?: string; // the position to begin from; without it the start
  public?: boolean; // seek: anybody may accept, and the game is listed
  seat?: "first" | "second" | "random"; // which side to take; without it a random one
  to?: string; // the bot to challenge
}

export interface PlayerForm {
  about: string;
  form: string;
  own?: boolean; // whether it is this program's, beside oxo's players
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
}

export interface PlayersReply {
  players: OfferedPlayer[];
}

export interface PositionReply {
  info: Info;
  last: string; // the last move; empty before the first
  owned: number[][]; // complete winning sets, each as squares by their order in info.squares
  state: State;
  trail: string[]; // every position on the way, the first and the last included
}

export interface ProofEntry {
  begins?: string[]; // the moves that its strategy begins with; none where the other side begins, or where it is by moves alone
  bytes: number; // of its file
  claims: ClaimOfSeat[]; // what it says of each side
  from: "built in" | "uploaded" | "proved here";
  game: string;
  id: string;
  method: string; // how oxo prove finds such proofs
  named: boolean; // whether game is the spec of a game that can be opened
  nodes: number; // positions in the strategies, up to symmetry
  position: string; // where the proof begins
  prove: string; // the command that finds a proof of the same claim; empty where none does
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  search?: Search; // what finding it took, where that is known
  seats: [string, string]; // what the two sides are called
  shows: string; // what it shows, as oxo verify reads a claim
  start: boolean; // whether that is the game's start
  title: string; // the game's title
  value: string; // first, second, draw or unknown
  verify: string; // the command that checks its file
}

export interface ProofNumbers {
  disproof: number; // the disproof number: the same for a no
  proof: number; // the proof number: about how many positions are still to be proved for a yes
  winner: "first" | "second"; // the side of which it asked whether it wins
}

export interface Pupil {
  draws: number;
  game: string;
  games: number;
  head: number; // games of its head start
  id: string; // brain:ID/1 is a player, and the brain that POST /jobs/ID/save saves; DELETE /jobs/ID deletes it
  learner: string;
  lesson?: LessonView; // the game under way, or the last one; lists leave it out
  losses: number;
  made: string;
  mine: boolean; // whether who asks may teach it
  name?: string;
  results: string; // of the games taught by hand, a letter each: w where the learner won, t a tie, l lost
  seats: string;
  seed: number;
  wins: number;
}

export interface PupilRequest {
  brain?: string; // a brain to go on from
  game: string; // the game's spec
  head?: number; // a head start: games that it plays against itself first
  learner?: string; // the learner's spec; not of one that a brain is
  name?: string; // what to call it
  seats?: "alternate" | "first" | "second"; // which side the learner plays; without it both in turn
  seed?: number; // what the learner draws from; without it the server draws one
  start?: string; // how games begin; without it with the empty board
}

export interface PuzzleGame {
  count: number;
  game: string;
  known?: boolean; // whether many people know it
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  themes: { [key: string]: number }; // how many of each theme, and of the wins in so many moves, as win-2
  title: string;
}

export interface PuzzleTally {
  of: string; // the game or the theme
  rating: Rating; // by Glicko-2: it begins where the solver stands in all puzzles, and follows the tries of these
  solved: number; // at the first try
  tried: number;
}

export interface PuzzleText {
  among: string[]; // the moves that the last hint names
  goal: string; // what is to be found
  hints: string[]; // each says more than the one before; one where three moves or fewer are left to choose from
  marks?: string[]; // the squares that the second hint names: of a line that is to be completed, or stopped
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field, for each hint one: keys and arguments, for other languages
}

export interface PuzzleView {
  among: string[]; // the moves that the last hint names
  game: string;
  goal: string; // what is to be found
  hints: string[]; // each says more than the one before; one where three moves or fewer are left to choose from
  id: string;
  marks?: string[]; // the squares that the second hint names: of a line that is to be completed, or stopped
  position: string;
  rating: number; // how hard it is: it begins with an estimate and changes with those who try
  right?: number; // how many moves are right, where they are several, as in puzzles of mistakes
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field, for each hint one: keys and arguments, for other languages
  theme: string;
  title: string; // what the game is called
}

export interface PuzzlesReply {
  count: number; // how many suit the question
  games: PuzzleGame[];
  hardest?: number; // the highest rating, where more is asked for
  puzzle?: PuzzleView; // one that suits; none where none does
}

export interface Rating {
  deviation: number;
  rating: number;
  volatility: number;
}

export interface Record {
  date?: string; // the day on which it began, as 2026-01-31, where that is known
  final: string; // the last position
  first: string; // the first player's spec
  game: string;
  moves: string[]; // in order, chance's included
  result: string; // first, second or draw; * of a game that goes on
  second: string; // the second player's spec
  seed: number;
  start?: string; // where play began, if not at the game's start
  termination: string; // normal, time, illegal, crashed, resigned, agreed, adjudicated or abandoned; empty of a game that goes on
}

export interface Reproduced {
  citation: string; // a line to cite
  claim: string; // what is printed, in words
  document: string; // where the claim is printed, in a word
  id: string; // the item
  long?: boolean; // it has to be asked for
  measured?: Column; // what an honest measure says
  mended?: Column; // what comes out without the slip
  printed: Column; // the figures of the document
  published?: Column; // what comes out as published, with the author's slip
  seconds: number; // about how long it takes on one core
  section: string; // section, slide or exercise
  title: string; // where the claim is printed
  why?: string; // what the slip is, or why a figure does not come out
}

export interface Review {
  game: string;
  moves: Judgement[];
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  start: Known;
  start_says: string; // what that position is worth, in words
  summary: string; // how many moves could be judged for certain, in words
}

export interface Reweighed {
  after: number;
  before: number;
  feature: string;
}

export interface Row {
  added?: number; // wins and losses that ratings count besides between every two players, to be bounded
  cross: Score[]; // the score against each player, in their order
  error: number; // half of the rating's 95 % interval
  faults: Faults; // games lost by a player's own fault
  games: number;
  name: string;
  rating: number; // Elo around the pool's mean of 0
  score: number; // points: 1 for a win, ½ for a draw
}

export interface Said {
  by: "first" | "second";
  phrase: "hello" | "good-game" | "thanks" | "one-moment";
}

export interface Score {
  draws: number;
  losses: number;
  paid?: number; // what all games together paid it, where they have payoffs of their own
  pairs: [number, number, number, number, number]; // pairs of games by the first player's points: 0, ½, 1, 1½, 2
  wins: number;
}

export interface Search {
  nodes: number; // positions searched
  seconds: number; // processor time; 0 where it is not known, or less than 0.005
}

export interface SearchLine {
  known?: Known; // what is certain of the position after it
  move: string;
  noise?: number; // its standard error, of a mean of simulations; none where it is proven
  pv: string[];
  score?: number; // points of the evaluation behind an estimate
  value: number; // what the search makes of its payoff to First
  visits?: number; // simulations through the move
}

export interface SearchReply {
  algorithm: string;
  better?: string[]; // the best of those
  certain?: number; // the payoff to First where it is certain, be it by the search or, as known says, otherwise
  complete: boolean;
  deepened?: boolean; // whether it searched one ply deep, then two, and so on
  depth: number;
  eval?: string; // the evaluation behind an estimate; none if empty
  evaluated?: number[]; // leaves in the order of looking, for trees
  exact: boolean; // whether the search itself has found out the value
  game: string;
  gives_away?: boolean; // another move than the one found is certainly better
  known?: Known; // what is certain of the position where the search leaves its worth open
  lines?: SearchLine[]; // the best moves, best first
  move: string; // the best found; empty where there is none
  nodes: number; // calls of the recursive function, root included; simulations of mcts
  noise?: number; // standard error of an estimate that is a mean of simulations, as of so many independent ones
  numbers?: ProofNumbers; // how far proof numbers were that have not decided
  over?: boolean; // whether the game is over at the position
  position: string;
  pruned?: number[]; // leaves never looked at, for trees
  pv: string[];
  result?: string; // first, second or draw, where that is certain
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys and arguments, for other languages
  score?: number; // points of the evaluation behind an estimate
  seconds: number;
  standing?: string; // the same in words
  stopped?: string; // nodes, memory or time
  stored: number;
  trace?: unknown; // the tree, of at most 2,000 nodes, where asked for
  value: number | null; // what the search makes of the payoff to First, an estimate where exact is false; null where it makes nothing of it
}

export interface SeatView {
  away_ms?: number; // for how long nothing was seen of it as of now, while it is not present in a game being played
  bot: boolean;
  grace_ms: number; // for how long it may be away before the other side may claim the win
  left_ms?: number; // what its clock shows as of now
  name: string;
  present: boolean; // whether it has a stream open, or waits in a long poll; of a game that is over, whether it did a short while ago
  running: boolean; // whether its clock runs
  taken: boolean;
}

export interface SheetReply {
  bad?: string[]; // what is wrong with those that can't be read, of at most 20
  games: Record[]; // at least one, each played by its rules
}

export interface Size {
  least: number; // the least that it can be
  most: number; // the most that it can be
  name: string;
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
  usual: number; // what it is unless given
}

export interface Sizes {
  label: string; // what it is called
  numbers: Size[]; // what the spec's arguments are, in order
  said?: { [key: string]: Message[] }; // the messages of the texts here, by field: keys, for other languages
}

export interface Solver {
  best: number; // the longest streak
  day?: string; // the last day whose puzzle was solved
  days: number; // how many days in a row the puzzle of the day was solved
  missed?: number; // puzzles that were missed at the first try, and not solved since
  rating: Rating; // by Glicko-2
  solved: number; // at the first try
  streak: number; // puzzles in a row that were solved at the first try
  tried: number;
}

export interface SolverReport {
  begins?: number; // the rating before the first of them, where that is known
  games: PuzzleTally[]; // the most tried first
  ratings: number[]; // the rating after each first try of which it was kept, the latest last
  themes: PuzzleTally[]; // likewise
  undated?: number; // of a period: how many tries were kept without their day, which are not in it
}

export interface Square {
  col: number;
  level: number;
  name: string;
  row: number;
}

export interface Standings {
  games: number; // that have ended
  rows: Row[]; // a player's score, its rating with half of the 95 % interval, and its scores against each player in their order
  total: number;
}

export interface State {
  moves: string[]; // the legal ones
  payoff?: number; // to First, at the end of a game that has payoffs
  position: string;
  result: "first" | "second" | "draw" | "*"; // * while play goes on
  turn: "first" | "second" | "chance"; // whose move it is
}

export interface Step {
  box?: number; // the number of the matchbox that was opened
  learner: boolean; // whether the learner made it
  move: string;
  position: string;
  turn: "first" | "second" | "chance"; // whose move it is
}

export interface Takes {
  high?: number; // the greatest of a number
  kind: "number" | "integer" | "numbers" | "word" | "text"; // numbers are joined with slashes
  low?: number; // the least of a number
  most?: number; // how many numbers at most
  words?: string[]; // the accepted words; of a text, some that are
}

export interface Tally {
  draws: number;
  games: number;
  losses: number;
  wins: number;
}

export interface Taught {
  moves: Changed[];
  resigned: boolean;
  result: string;
  seat: string;
  tally: Tally;
  weights?: Reweighed[];
}

export interface Term {
  feature: string;
  here: number;
  then: number;
  weight: number; // with which it chose
}

export interface Terms {
  bank_ms: number; // what each clock shows at first
  increment_ms?: number; // added after each move
}

export interface Turns {
  below?: number[]; // where marks fall, the square under each; −1 for none
  done: [string, string]; // the result once First, once Second completes a winning set; empty: play goes on
  full: string; // the result of a full board
  nine?: OnNine; // of nine boards of nine squares, whose winning sets are rows of three boards
  place: "own" | "either" | "cross"; // the marks that a move places: one's own, either, or X
}

export interface UsualTraining {
  against: string; // who to play against
  exams: number; // how many times a curve is measured
  games: number; // how many each run plays
  runs: number; // how many learners side by side
}

export interface Verdict {
  claim: string; // what the file claims, in words
  game: string; // the game's spec; of one that can't be opened by its name, as the file has it
  limited?: boolean; // the check was given up at a limit, which is no verdict
  named: boolean; // whether the file was found to describe the game of that name
  nodes: number; // positions in the strategies, up to symmetry
  ok: boolean; // whether the certificate shows what is asked; of a part, whether this part holds
  part?: number; // which part was looked at, where not the whole
  parts?: number; // of how many, which show the claim only together
  position: string; // what the claims are about, with the side to move; empty where the game can't have it
  reason?: string; // why the certificate does not show what is asked
  replies: number; // of the other side that were looked at
  seconds: number;
  value: string; // first, second, draw or unknown, as of a part
}

export interface View {
  clock?: Terms;
  contest?: string; // the job of the tournament that the game is part of; the server plays the maker's side there
  draw_declined?: "first" | "second"; // the side whose offer of a draw was declined, until it has moved
  draw_offer?: "first" | "second"; // the side that offers a draw, until the other side has moved
  first: SeatView;
  first_move_ms?: number; // after how long without a first move the game is called off, as of now; of an open game, how long each side will have
  game: string; // the game's spec
  id: string;
  legal: string[]; // the moves that may be played now; none unless playing
  made: string;
  maker: "first" | "second"; // the seat of who opened the game
  moves: string[]; // all of them, chance's included
  next?: string; // the game that one side opened after this one; the invitation is the other side's key of this one
  owned: number[][]; // complete winning sets, each as squares by their order in the game's squares
  payoff?: number; // to first, in games that have payoffs
  ply: number; // how many moves there are: the ply to be played next
  position: string;
  public: boolean; // whether anybody may accept
  reason?: string;
  result: "first" | "second" | "draw" | "*"; // * while there is none
  said?: Said; // the ready phrase that was said last, for 10 s, where you have a side
  second: SeatView;
  start: string; // the position that play began from
  state: "open" | "playing" | "over";
  takeback_declined?: "first" | "second"; // the side whose wish to take a move back was declined, until anybody has moved
  takeback_offer?: "first" | "second"; // the side that asks to take its last move back, until anybody has moved
  takeback_ply?: number; // the ply of the first of the moves that would be taken back
  taken_back?: number; // how many times moves were taken back: with it the ply tells which of two lines is the later one
  termination?: "normal" | "resigned" | "agreed" | "abandoned" | "time" | "illegal" | "crashed" | "adjudicated";
  to?: string; // the bot that is challenged
  turn: "first" | "second" | "chance";
  version: number; // another after each move and change of state, to compare for equality; 0 once the game is over and put away
  watchers: number; // how many streams without a seat were open when the line was written; no line is written for their sake
  you?: string; // your side, where the request says who you are and you have one
}

export interface Walk {
  info: Info;
  moves: string[]; // of both sides
  notes: string[]; // for each move why the proof plays it; empty for those of the other side
  over: boolean; // whether these plies were played and the claim was kept; the walk ends there, even if the game does not
  owned: number[][];
  plies?: number; // within which it wins, or does not lose, from where the proof begins; 0 where the claim is of the whole game
  seat: "first" | "second"; // whom the strategy plays
  start: string;
  state: State;
  wins: boolean; // whether it claims to win; else not to lose
}
