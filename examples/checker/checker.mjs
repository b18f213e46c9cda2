// Checker for certificates of formats 1 to 5, by certificate.md alone.
//   node checker.mjs [--work STEPS] FILE...    one JSON object a line; exit 0 all ok, 1 some not ok, 2 some unreadable
//   node checker.mjs [--work STEPS] --batch F  a character for each record: 1 ok, 0 refused, x too much work or memory
// In the specification a side is called O and so is a mark. Here the sides of a claim are `me` (the seat S) and `foe`
// (its opponent). A position is three sets: a (squares of S; shared marks: of X), b (of the opponent; of O), free; of
// formats 3 and 4 it is the list of numbers that the specification names, in a Buffer.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
// Why a file fails: 'unreadable' (no certificate), 'refused' (it breaks a rule or does not show its claim), or
// 'too much' (more work or memory than allowed: no verdict).
class Failure extends Error { constructor(kind, why) { super(why); this.kind = kind; } }
const unreadable = (why) => { throw new Failure('unreadable', why); };
const refuse = (why) => { throw new Failure('refused', why); };
const tooMuch = (why) => { throw new Failure('too much', why); };
const DRAW = 3, OWN = 0, EITHER = 1, CROSS = 2, MOVE = 0, LINE = 1, WAIT = 2;   // full; what is placed; kinds of node
const ALONE = { steps: 3e10, unpacked: 2 ** 30, memory: 2 ** 31 };
const BATCH = { steps: 5e8, unpacked: 2 ** 24, memory: 2 ** 28 };

// ------------------------------------------------------------------------------------------------------ reading
// Checks the first line, the checksum and the extent of the DEFLATE stream; returns the format and what is unpacked.
function unpack(bytes, limits) {
  const head = bytes.toString('latin1', 0, 12), end = bytes.length - 32;
  const format = [1, 2, 3, 4, 5].find((k) => head === `oxo proof ${k}\n`) ?? 0;
  if (format === 0 || end < 12) unreadable('first line or length');
  if (!createHash('sha256').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) unreadable('checksum');
  try {
    const out = inflateRawSync(bytes.subarray(12, end), { info: true, maxOutputLength: limits.unpacked });
    if (out.engine.bytesWritten !== end - 12) unreadable('stream ends before the checksum');
    return { format, data: out.buffer };
  } catch (e) {
    return e.code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch('too many bytes') : unreadable(`DEFLATE: ${e.message}`);
  }
}
class Reader {
  constructor(data, at = 0) { this.data = data; this.at = at; }
  // A number below the bound. All bounds are below 2^32, so that rounding of long numbers does no harm.
  number(bound) {
    let value = 0, scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.at >= this.data.length) unreadable('too few bytes');
      const byte = this.data[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value < bound ? value : unreadable(`number ${value} is not below ${bound}`);
      scale *= 128;
    }
    return unreadable('number of more than ten bytes');
  }
  flag() { return this.number(2) === 1; }
  // A list whose length is below the bound.
  list(bound, element) { return Array.from({ length: this.number(bound) }, element); }
  set(n) {
    const squares = this.list(n + 1, () => this.number(n));
    return squares.every((q, i) => i === 0 || squares[i - 1] < q) ? squares : unreadable('set not in ascending order');
  }
}
// The node that was read last. Its lists are reused from node to node, as large as the largest game needs them.
const node = {
  kind: 0, move: 0, end: 0, perm: 0, pairs: 0, lines: 0, replies: 0,
  pair: new Int32Array(2 * 512), reply: new Int32Array(3 * 512),     // reply: move, permutation, how many nodes further
  lineAt: new Int32Array(513), lineMove: new Int32Array(512 * 512),   // line k is lineMove[lineAt[k]..lineAt[k + 1])
};
// Reads a node; `further` is how many nodes follow it.
function readNode(reader, moves, permCount, further) {
  const readLine = (k) => {
    let at = node.lineAt[k];
    for (let left = reader.number(moves + 1); left > 0; left--) node.lineMove[at++] = reader.number(moves);
    node.lineAt[k + 1] = at;
  };
  node.kind = reader.number(3);
  node.pairs = node.lines = node.replies = 0;
  if (node.kind === LINE) { readLine(0); node.lines = 1; return; }
  if (node.kind === MOVE) node.move = reader.number(moves);
  node.end = reader.number(5);
  if (node.end === 4) node.perm = reader.number(permCount);
  node.pairs = reader.number(moves + 1);
  for (let i = 0; i < 2 * node.pairs; i++) node.pair[i] = reader.number(moves);
  node.lines = reader.number(moves + 1);
  for (let k = 0; k < node.lines; k++) readLine(k);
  node.replies = reader.number(moves + 1);
  for (let at = 0; at < 3 * node.replies; at += 3) {
    node.reply[at] = reader.number(moves);
    node.reply[at + 1] = reader.number(permCount);
    node.reply[at + 2] = reader.number(further + 1) || unreadable('a reply leads to its own node');
  }
}
// Reads everything but keeps of the nodes only where they begin. Says nothing yet about the rules.
function readCertificate({ format, data }) {
  const r = new Reader(data), g = { data, format, placed: OWN };
  g.name = Buffer.from(r.list(65536, () => r.number(256))).toString('utf8');
  if (format === 3) readNine(r, g);
  else if (format === 5) readRace(r, g);
  else readGame(r, g);
  if (g.claims.length === 0) unreadable('no claim');
  if (r.at !== data.length) unreadable('bytes left over');
  return g;
}
function readGame(r, g) {
  const n = g.n = r.number(257) || unreadable('no squares');
  g.sets = r.list(65536, () => ({ need: r.set(n), bar: r.set(n) }));
  g.falls = r.flag();
  g.below = new Int32Array(n).map(() => (g.falls ? r.number(n + 1) : 0) - 1);
  g.sides = [0, 1].map(() => ({ tested: r.flag(), done: r.number(3) }));
  g.full = r.number(4);
  if (g.format === 2) g.placed = r.number(2) === 0 ? EITHER : CROSS;
  g.start = [r.set(n), r.set(n)];
  g.toMove = r.number(2);
  g.moves = g.placed === EITHER ? 2 * n : n;
  g.perms = r.list(2 ** 20, () => new Uint8Array(n).map(() => r.number(n)));
  if (g.format === 4) { readMoves(r, g, n); return; }
  g.claims = r.list(3, () => {
    const claim = { me: r.number(2), wins: r.flag(), stealing: r.flag(), relaxed: r.flag() };
    claim.nodes = r.number(2 ** 31 - 1);
    if (claim.stealing !== (claim.nodes === 0)) unreadable('nodes do not fit the flag of strategy stealing');
    claim.at = r.at;
    for (let i = 0; i < claim.nodes; i++) readNode(r, g.moves, g.perms.length, claim.nodes - 1 - i);
    return claim;
  });
}
function readNine(r, g) {
  g.goal = r.number(3);
  g.open = r.flag();
  g.start = Buffer.alloc(91).map((_, i) => r.number(i < 90 ? 3 : 10));   // squares, owners, active board
  g.toMove = r.number(2);
  g.full = DRAW;                                             // nobody wins by not losing
  readMoves(r, g, 81);
}
function readRace(r, g) {
  g.n = r.number(256);
  g.tokens = [r.number(g.n), r.number(g.n)];
  g.toMove = r.number(2);
  g.full = DRAW;                                             // nobody wins by not losing
  g.claims = r.list(3, () => {
    const claim = { me: r.number(2), wins: r.flag() };
    if (claim.wins) claim.plies = r.number(2 * g.n * g.n);
    claim.nodes = r.number(g.n * g.n);
    const node = () => ({ move: r.number(g.n), rank: claim.wins ? r.number(2 * g.n * g.n) : 0 });
    claim.strategy = Array.from({ length: claim.nodes }, node);
    return claim;
  });
}
// Reads the claims of formats 3 and 4, of games of n squares. The moves are read again when they are made.
function readMoves(r, g, n) {
  g.claims = r.list(3, () => {
    const claim = { me: r.number(2), wins: r.flag(), plies: r.number(n + 1), nodes: r.number(2 ** 31 - 1) };
    Object.assign(claim, { at: r.at, longest: 0 });          // longest: plies of the longest game that was looked at
    for (let i = 0; i < claim.nodes; i++) r.number(n);
    return claim;
  });
}

// ------------------------------------------------------------------------------------------------------ the game
// A set of squares is an Int32Array.
const has = (set, q) => (set[q >> 5] >>> (q & 31) & 1) === 1;
const add = (set, q) => { set[q >> 5] |= 1 << (q & 31); };
const remove = (set, q) => { set[q >> 5] &= ~(1 << (q & 31)); };
const copy = (from, to) => { for (let w = 0; w < to.length; w++) to[w] = from[w]; };
// The square of a set that has one; NONE or MORE of a set with none or more.
const NONE = -1, MORE = -2;
function only(set) {
  let found = NONE;
  for (let w = 0; w < set.length; w++) {
    if (set[w] !== 0) found = found !== NONE || (set[w] & (set[w] - 1)) !== 0 ? MORE : 32 * w + 31 - Math.clz32(set[w]);
  }
  return found;
}
// Winning set i is alive for the marks, with these free squares; without free squares: the marks own it.
function alive(g, i, marks, free) {
  for (let w = 0, at = i * g.words; w < g.words; w++, at++) {
    if ((g.need[at] & ~(marks[w] | free[w])) !== 0 || (g.bar[at] & marks[w]) !== 0) return false;
  }
  return true;
}
// Checks what makes a game refused and prepares the tables.
function prepareGame(g, spend) {
  const { n, sets, sides } = g, words = g.words = (n + 31) >> 5;
  const toSet = (list, set = new Int32Array(words)) => { for (const q of list) add(set, q); return set; };
  const key = (need, bar) => String.fromCharCode(...need, 256, ...bar), known = new Set();
  [g.need, g.bar] = [new Int32Array(sets.length * words), new Int32Array(sets.length * words)];
  g.setsAt = Array.from({ length: n }, () => []);            // the winning sets whose need has a square
  sets.forEach(({ need, bar }, i) => {
    if (need.length === 0) refuse('empty need');
    toSet(need, g.need.subarray(i * words, (i + 1) * words));
    toSet(bar, g.bar.subarray(i * words, (i + 1) * words));
    for (let w = i * words; w < (i + 1) * words; w++) if (g.need[w] & g.bar[w]) refuse('a need meets its bar');
    for (const q of need) g.setsAt[q].push(i);
    known.add(key(need, bar));
  });
  if (known.size < sets.length) refuse('two equal winning sets');
  [g.all, g.nothing] = [Int32Array.from(sets.keys()), toSet([])];
  g.setsAt = g.setsAt.map((list) => Int32Array.from(list));
  for (let q = 0; q < n; q++) {
    for (let k = 0, at = q; at >= 0; at = g.below[at]) if (++k > n) refuse('squares rest on themselves');
  }
  if (g.full === 0 || sides.some(({ tested, done }) => tested && done === 0)) refuse('tested with done 0, or full 0');
  if (g.start[0].some((q) => g.start[1].includes(q))) refuse('a square that both hold');
  if (g.placed === CROSS && g.start[1].length > 0) refuse('cross with an O at the start');
  g.startMarks = g.start.map((list) => toSet(list));
  g.startMarks.forEach((marks, s) => {                       // shared marks: whoever is tested
    const counts = g.placed !== OWN || sides[s].tested;
    if (counts && sets.some((_, i) => alive(g, i, marks, g.nothing))) refuse('over at the start');
  });
  g.startFree = toSet([...g.below.keys()].filter((q) => !g.start.flat().includes(q)));
  const seen = new Set();
  g.perms.forEach((p, k) => {
    const image = (list) => list.map((q) => p[q]).sort((x, y) => x - y);
    spend(4 * n);
    if (new Set(p).size < n) refuse(`permutation ${k} repeats a square`);
    if (seen.size === seen.add(String.fromCharCode(...p)).size) refuse(`permutation ${k} comes twice`);
    for (const { need, bar } of sets) {
      spend(20 * (1 + need.length + bar.length));
      if (!known.has(key(image(need), image(bar)))) refuse(`permutation ${k} carries a winning set to none`);
    }
    const kept = g.below.every((under, q) => g.below[p[q]] === (under < 0 ? -1 : p[under]));
    if (!kept) refuse(`permutation ${k} changes what is below`);
  });
  sides.forEach((side, s) => { side.good = side.tested && side.done === s + 1; });
  g.positional = sides.every(({ tested, good }) => good || !tested) && g.placed === OWN && !g.falls;
  g.monotone = g.positional && sets.every(({ bar }) => bar.length === 0);
}

// ------------------------------------------------------------------------------------------------------ a claim
const suits = ({ me, wins }, outcome) => (wins ? outcome === me + 1 : outcome !== 2 - me);
class ClaimChecker {
  constructor(g, claim, limits, spend) {
    Object.assign(this, { g, claim, spend, words: g.words, me: claim.me, foe: 1 - claim.me });
    this.meOpen = g.sides[this.me].good && !claim.relaxed;   // sets alive for own are open for S
    this.foeOpen = g.sides[this.foe].good;
    this.fullSuits = this.suits(g.full);
    // The position at hand (a, b, free) and where the opponent completes a set (foeWins); the same four inside a line;
    // S's threats there; the normal of the position at hand; sets for other use.
    for (const name of ['a', 'b', 'free', 'foeWins', 'la', 'lb', 'lfree', 'lfoeWins', 'threats', 'na', 'nb', 'nfree',
      'covered', 'common']) this[name] = new Int32Array(g.words);
    this.image = new Int32Array(3 * g.words);
    this.replyAt = new Int32Array(g.moves); this.answered = new Uint8Array(g.moves);
    if (claim.nodes * 3 * this.words * 4 > limits.memory) tooMuch('too many nodes');
    this.position = new Int32Array(claim.nodes * 3 * this.words);   // a, b and free of each node
    this.reached = new Uint8Array(claim.nodes);               // 1: by one position, 2: by different ones
  }
  suits(outcome) { return suits(this.claim, outcome); }
  check() {
    const { g, claim, me, words } = this;
    if (claim.stealing) {
      const fits = !claim.wins && g.monotone && g.sides.every((s) => s.good) && g.full === DRAW;
      if (!fits) refuse('strategy stealing in such a game');
      if (g.start.flat().length > 0 || g.toMove !== me) refuse('strategy stealing from such a start');
      return;
    }
    const swap = g.placed === OWN ? me : 0;
    copy(g.startMarks[swap], this.a); copy(g.startMarks[1 - swap], this.b); copy(g.startFree, this.free);
    this.normal();
    if (g.toMove === me && only(this.nfree) === NONE) {      // no square is left to move to: the start as it is
      copy(this.a, this.na); copy(this.b, this.nb); copy(this.free, this.nfree);
    }
    this.follow(0, g.below.map((_, q) => q));                // else node 0 is the normal of the start
    const reader = new Reader(g.data, claim.at);
    for (let i = 0; i < claim.nodes; i++) {
      readNode(reader, g.moves, g.perms.length, claim.nodes - 1 - i);
      try { this.checkNode(i, 3 * words * i); } catch (e) { e.message = `node ${i}: ${e.message}`; throw e; }
    }
  }
  open(i) {
    return this.meOpen && alive(this.g, i, this.a, this.free) || this.foeOpen && alive(this.g, i, this.b, this.free);
  }
  // The normal of the position at hand.
  normal() {
    const { a, b, free, na, nb, nfree, words } = this, { need, monotone, sets } = this.g;
    this.spend(4 * words + (monotone ? sets.length * words : 0));
    nfree.fill(monotone ? 0 : -1);                           // at first: the squares in play
    for (let i = 0; i < sets.length && monotone; i++) {
      if (this.open(i)) for (let w = 0; w < words; w++) nfree[w] |= need[i * words + w];
    }
    for (let w = 0; w < words; w++) [na[w], nb[w], nfree[w]] = [a[w] & nfree[w], b[w] & nfree[w], nfree[w] & free[w]];
  }
  // Moves in the position at hand.
  square(move) { return move < this.g.n ? move : move - this.g.n; }
  marks(side, move) { return (this.g.placed === OWN ? side === this.me : move < this.g.n) ? this.a : this.b; }
  legal(move) {
    const q = this.square(move), under = this.g.below[q];
    return has(this.free, q) && (under < 0 || !has(this.free, under));
  }
  // Puts the mark of a move, or takes it back.
  toggle(side, move) {
    const q = this.square(move);
    for (const set of [this.marks(side, move), this.free]) set[q >> 5] ^= 1 << (q & 31);
  }
  // The mark that the side just put completes a set.
  completes(side, move) {
    const { g } = this, marks = this.marks(side, move), through = g.setsAt[this.square(move)];
    this.spend(through.length);
    return g.sides[side].tested && through.some((i) => alive(g, i, marks, g.nothing));
  }
  // Makes `wins` the free squares on which one mark more completes a set of the list.
  findWins(wins, marks, free, list) {
    const { g: { need, bar }, words } = this;
    this.spend(words + list.length);
    wins.fill(0);
    for (let k = 0; k < list.length; k++) {
      const at = list[k] * words;
      let word = -1;                                         // where the only missing square is; -2: it is no win
      for (let w = 0; w < words && word !== -2; w++) {
        const missing = need[at + w] & ~marks[w];
        if ((bar[at + w] & marks[w]) !== 0) word = -2;
        else if (missing !== 0) word = word < 0 && (missing & (missing - 1) | missing & ~free[w]) === 0 ? w : -2;
      }
      if (word >= 0) wins[word] |= need[at + word] & ~marks[word];
    }
  }
  // Where the opponent completes a set in the position at hand. Only lines of positional games need it.
  findFoeWins() {
    const { g, foeWins, b, free } = this;
    if (node.lines > 0 && this.meOpen && this.foeOpen && g.positional) this.findWins(foeWins, b, free, g.all);
  }
  // Line k of the node wins from the position at hand, S to move.
  lineWins(k) {
    const { g, me, la, lb, lfree, lfoeWins, threats } = this, from = node.lineAt[k], to = node.lineAt[k + 1];
    if (!this.meOpen || from === to) return false;
    if (!g.positional) {
      const move = node.lineMove[from];
      if (to - from !== 1 || !this.legal(move)) return false;
      this.toggle(me, move);
      const won = this.completes(me, move);
      this.toggle(me, move);
      return won;
    }
    this.spend(5 * this.words);
    copy(this.a, la); copy(this.b, lb); copy(this.free, lfree); copy(this.foeWins, lfoeWins);
    for (let at = from; at < to; at++) {
      const q = node.lineMove[at], through = g.setsAt[q];
      if (!has(lfree, q)) return false;
      add(la, q); remove(lfree, q); remove(lfoeWins, q);
      this.spend(through.length);
      if (through.some((i) => alive(g, i, la, g.nothing))) return true;
      if (only(lfoeWins) !== NONE) return false;
      this.findWins(threats, la, lfree, through);            // other sets do not count
      const taken = only(threats);
      if (taken < 0) return taken === MORE;
      add(lb, taken); remove(lfree, taken);
      if (this.foeOpen) this.findWins(lfoeWins, lb, lfree, g.setsAt[taken]);   // sets without that square have none now
    }
    return false;
  }
  // The node that was read is node i, its position at `at`.
  checkNode(i, at) {
    const { g, me, words, position } = this;
    if (!this.reached[i]) refuse('no edge leads to it');
    for (let w = 0; w < words; w++, at++) {
      this.a[w] = position[at]; this.b[w] = position[at + words]; this.free[w] = position[at + 2 * words];
    }
    if (this.reached[i] === 2) {
      this.spend(g.sets.length * words);
      if (g.sides[this.foe].tested && g.all.some((k) => alive(g, k, this.b, g.nothing))) refuse('merged into a set');
      this.normal();
      copy(this.na, this.a); copy(this.nb, this.b); copy(this.nfree, this.free);
    }
    if ((node.kind === WAIT) !== (i === 0 && g.toMove !== me)) refuse('kind 2 is for node 0 where the opponent moves');
    this.spend(4 * g.moves);
    this.replyAt.fill(-1);
    for (let k = 0; k < node.replies; k++) {
      if (this.replyAt[node.reply[3 * k]] >= 0) refuse(`move ${node.reply[3 * k]} is listed twice`);
      this.replyAt[node.reply[3 * k]] = k;
    }
    if (node.kind === LINE) {
      this.findFoeWins();
      return this.lineWins(0) || refuse('its line does not win');
    }
    if (node.kind === MOVE) {
      if (!this.legal(node.move)) refuse(`move ${node.move} is not legal`);
      this.toggle(me, node.move);
      if (this.completes(me, node.move) && !this.suits(g.sides[me].done)) refuse('its move completes a set');
    }
    if (node.end === 0) return this.checkReplies(i);
    if (node.end <= 2) return this.checkPotential();
    return node.end === 3 ? this.checkSettled() : this.checkMirror(g.perms[node.perm]);
  }
  // End 0: each legal move of the opponent is answered.
  checkReplies(i) {
    const { g, answered, covered } = this;
    let legalMoves = 0;
    covered.fill(0);                                         // the squares that have 1, 2 or 3
    for (let move = 0; move < g.moves; move++) {
      answered[move] = this.legal(move) ? this.answer(i, move) : 9;
      if (answered[move] === 9 && this.replyAt[move] >= 0) refuse(`listed move ${move} is not legal`);
      if (answered[move] !== 9) legalMoves++;
      if (answered[move] >= 1 && answered[move] <= 3) add(covered, this.square(move));
    }
    if (legalMoves === 0 && !this.fullSuits) refuse('no legal move, and full does not suit');
    for (let move = 0; move < g.moves; move++) {
      if (answered[move] === 0 && !this.dominated(move)) refuse(`move ${move} has no answer`);
    }
  }
  // The first of the answers 1 to 4 that a legal move of the opponent in node i has, or 0.
  answer(i, move) {
    const { g, foe } = this, listed = 3 * this.replyAt[move];
    let found = 0;
    this.spend(4);
    this.toggle(foe, move);
    if (this.completes(foe, move)) {
      if (!this.suits(g.sides[foe].done)) refuse(`move ${move} completes a set`);
      if (listed >= 0) refuse(`listed move ${move} completes a set`);
      found = 1;
    } else if (listed >= 0) {
      this.normal();
      this.follow(i + node.reply[listed + 2], g.perms[node.reply[listed + 1]]);
      found = 2;
    } else {
      this.findFoeWins();
      for (let k = 0; k < node.lines && !found; k++) if (this.lineWins(k)) found = 3;
      if (!found && this.fullSuits) {
        this.normal();
        if (only(this.nfree) === NONE) found = 4;
      }
    }
    this.toggle(foe, move);
    return found;
  }
  // 5: some covered square lies in each open set that has square r; if both sides' sets count there is no such set.
  dominated(r) {
    const { g, common, words } = this;
    if (!g.monotone) return false;
    copy(this.covered, common);
    this.spend(2 * g.setsAt[r].length * words);
    for (const i of g.setsAt[r]) {
      if (!this.open(i)) continue;
      if (this.meOpen && this.foeOpen) return false;
      for (let w = 0; w < words; w++) common[w] &= g.need[i * words + w];
    }
    return only(common) !== NONE;
  }
  // An edge to a node: its position is the image, under the permutation, of the normal at hand.
  follow(target, perm) {
    const { g, image, words, position, na, nb, nfree } = this, at = 3 * words * target;
    this.spend(4 * g.n);
    image.fill(0);
    for (let q = 0; q < g.n; q++) {
      const part = has(na, q) ? 0 : has(nb, q) ? 1 : has(nfree, q) ? 2 : -1, to = perm[q];
      if (part >= 0) image[part * words + (to >> 5)] |= 1 << (to & 31);
    }
    if (!this.reached[target]) {
      position.set(image, at);
      this.reached[target] = 1;
    } else if (image.some((word, w) => position[at + w] !== word)) {
      if (!g.monotone) refuse(`another position for node ${target}`);
      this.merge(at);
      this.reached[target] = 2;
    }
  }
  // The position at `at` becomes the worst for S of itself and the image: S reaches what it reaches in both, O what it
  // reaches in either. What a side reaches are its squares and the free ones.
  merge(at) {
    const { image, words, position } = this;
    for (let w = 0, k = at; w < words; w++, k++) {
      const mine = (position[k] | position[k + 2 * words]) & (image[w] | image[w + 2 * words]);
      const theirs = position[k + words] | position[k + 2 * words] | image[w + words] | image[w + 2 * words];
      position[k] = mine & ~theirs; position[k + words] = theirs & ~mine; position[k + 2 * words] = mine & theirs;
    }
  }
  // Ends 1 and 2. As long as sums are below 2 they are exact in floating point: all weights are multiples of 2^-50.
  checkPotential() {
    const { g, free } = this, partner = new Int32Array(g.n).fill(-1), through = new Float64Array(g.n);
    if (this.claim.wins || !g.positional || !this.fullSuits) refuse('pairs and potential in such a game');
    for (let k = 0; k < node.pairs; k++) {
      const x = node.pair[2 * k], y = node.pair[2 * k + 1];
      if (x === y || !has(free, x) || !has(free, y)) refuse('a pair is not of two free squares');
      if (partner[x] >= 0 || partner[y] >= 0) refuse('pairs are not disjoint');
      partner[x] = y; partner[y] = x;
    }
    this.spend(g.sets.length * this.words + g.n);
    let sum = 0;
    for (const [i, { need }] of g.sets.entries()) {
      if (!this.foeOpen || !alive(g, i, this.b, free)) continue;
      this.spend(need.length);
      if (need.some((q) => partner[q] >= 0 && has(g.need.subarray(i * this.words), partner[q]))) continue;
      const loose = need.filter((q) => has(free, q) && partner[q] < 0), weight = 2 ** -Math.min(loose.length, 50);
      sum += weight;
      if (sum >= 1) refuse('the potential is 1 or more');
      for (const q of loose) through[q] += weight;
    }
    if (sum + Math.max(...through) >= 1) refuse('the potential with one square more is 1 or more');
  }
  // End 3.
  checkSettled() {
    const { g } = this, mine = g.sides[this.me], theirs = g.sides[this.foe];
    if (!this.fullSuits) refuse('settled, and full does not suit');
    let a = mine.tested && !this.suits(mine.done), b = theirs.tested && !this.suits(theirs.done);   // whose sets count
    if (g.placed !== OWN) a = !this.suits(mine.done) || !this.suits(theirs.done);
    if (g.placed !== OWN) b = a && g.placed === EITHER;
    const anyAlive = (marks) => g.all.some((i) => alive(g, i, marks, this.free));
    this.spend(2 * g.sets.length * this.words);
    if (a && anyAlive(this.a) || b && anyAlive(this.b)) refuse('not settled');
  }
  // End 4.
  checkMirror(p) {
    const { g, a, b, free } = this, theirs = g.sides[this.foe];
    const fits = g.placed === OWN && theirs.tested && this.suits(theirs.done) && this.fullSuits;
    if (!fits) refuse('mirror in such a game');
    this.spend(4 * g.n);
    for (let q = 0; q < g.n; q++) {
      if (p[p[q]] !== q) refuse('the mirror is not its own inverse');
      if (has(free, q) && !has(free, p[q])) refuse('the mirror carries a free square to another');
      const mirrored = p[q] === q ? has(a, q) : has(a, q) === has(b, p[q]) && has(b, q) === has(a, p[q]);
      if (!mirrored) refuse('marks are not mirrored');
    }
    for (const { need } of g.sets) {
      const kept = need.filter((q) => p[q] === q).length, squares = new Set(need);
      this.spend(8 * need.length);
      if (kept > 0 && (kept === need.length || !need.every((q) => squares.has(p[q])))) refuse('a set is not mirrored');
    }
  }
}

// ------------------------------------------------------------------------------------------- nine boards and columns
// Either game has: size, the length of a position; start; moves, the numbers that may be legal; play, which makes in
// `to` what a side's move leads to in p and returns the outcome, 0 where the game goes on, ILLEGAL; images; image(k, i,
// p), the number in place i of image k of p; and settled, how many plies more the game has where play need not go on.
const ILLEGAL = -1, GOES_ON = -1;
const NINE = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
class NineBoards {
  constructor(g) {
    Object.assign(this, { g, size: 91, start: g.start, moves: [...Array(81).keys()] });
    const p = g.start;
    for (const b of NINE) {
      const marks = [1, 2].filter((mark) => this.row(p, 9 * b, mark)), owner = p[81 + b];
      if (owner > 0 ? !marks.includes(owner) : marks.length > 0) refuse(`board ${b} has the wrong owner`);
    }
    if (p[90] > 0 && this.closed(p, p[90] - 1)) refuse('the active board is closed');
    if (this.outcome(p, 0) !== 0 || this.outcome(p, 1) !== 0) refuse('over at the start');
    this.images = NINE.slice(1).map((k) => {                 // whence the first 90 numbers, where boards go
      const flip = (x, bit) => (k & bit ? 2 - x : x), turn = (x, y) => (k & 4 ? 3 * x + y : 3 * y + x);
      const at = NINE.map((c) => turn(flip(c % 3, 1), flip(Math.floor(c / 3), 2)));
      return { from: at.flatMap((b) => at.map((c) => 9 * b + c)).concat(at.map((b) => 81 + b)),
        to: [0, ...NINE.map((b) => at.indexOf(b) + 1)] };
    });
  }
  image(k, i, p) { return i < 90 ? p[this.images[k].from[i]] : this.images[k].to[p[90]]; }
  row(p, at, mark) { return ROWS.some(([x, y, z]) => p[at + x] === mark && p[at + y] === mark && p[at + z] === mark); }
  closed(p, b) { return p[81 + b] > 0 && !this.g.open || NINE.every((c) => p[9 * b + c] > 0); }
  // The outcome if the side moved last.
  outcome(p, side) {
    const { goal } = this.g;
    if (goal !== 2 && this.row(p, 81, side + 1)) return side + 1;
    if (!NINE.every((b) => this.closed(p, b))) return 0;
    const ahead = NINE.reduce((sum, b) => sum + [0, 1, -1][p[81 + b]], 0);   // by how many boards First is
    return goal === 0 || ahead === 0 ? DRAW : ahead > 0 ? 1 : 2;
  }
  play(p, side, move, to) {
    const b = Math.floor(move / 9), c = move % 9;
    if (p[move] > 0 || (p[90] > 0 ? p[90] !== b + 1 : this.closed(p, b))) return ILLEGAL;
    to.set(p);
    to[move] = side + 1;
    if (to[81 + b] === 0 && this.row(to, 9 * b, side + 1)) to[81 + b] = side + 1;
    to[90] = this.closed(to, c) ? 0 : c + 1;
    return this.outcome(to, side);
  }
  // Without a win to show: the opponent has too few moves left to win. More than 41 moves he never has.
  settled(p, side, left, { me, wins }) {
    if (wins || this.g.goal !== 0) return GOES_ON;
    const least = (costs) => Math.min(...ROWS.map((row) => row.reduce((sum, i) => sum + costs[i], 0)));
    const needs = NINE.map((b) => {
      if (p[81 + b] > 0 || this.closed(p, b)) return p[81 + b] === 2 - me ? 0 : 99;
      return least(NINE.map((c) => (p[9 * b + c] === 0 ? 1 : p[9 * b + c] === me + 1 ? 99 : 0)));
    });
    return (side === me ? Math.floor(left / 2) : Math.ceil(left / 2)) < least(needs) ? 0 : GOES_ON;
  }
}
class Columns {
  constructor(g, spend) {
    prepareGame(g, spend);
    const above = new Int32Array(g.n).fill(-1);
    g.below.forEach((under, q) => {
      if (under >= 0 && above[under] >= 0) refuse('two squares rest on the same one');
      if (under >= 0) above[under] = q;
    });
    const moves = [...g.below.keys()].filter((q) => g.below[q] < 0);   // the feet
    const start = Buffer.alloc(g.n).map((_, q) => g.start.findIndex((squares) => squares.includes(q)) + 1);
    Object.assign(this, { g, spend, size: g.n, start, moves, columns: [], later: Buffer.alloc(g.n) });
    for (const foot of moves) {
      this.columns[foot] = [];
      for (let q = foot; q >= 0; q = above[q]) this.columns[foot].push(q);
    }
    this.images = g.perms.map((p) => {                       // where each number comes from
      const from = new Uint8Array(g.n);
      p.forEach((to, q) => { from[to] = q; });
      return from;
    });
  }
  image(k, i, p) { return p[this.images[k][i]]; }
  // The side, tested, owns one of the sets whose need has square q.
  completes(p, side, q) {
    const { sides, setsAt, sets } = this.g, mark = side + 1;
    this.spend(setsAt[q].length);
    return sides[side].tested && setsAt[q].some((i) => this.all(sets[i].need, p, mark)
      && !sets[i].bar.some((x) => p[x] === mark));
  }
  all(squares, p, mark) {
    for (let i = 0; i < squares.length; i++) if (p[squares[i]] !== mark) return false;
    return true;
  }
  play(p, side, foot, to) {
    const q = this.columns[foot]?.find((x) => p[x] === 0);
    if (q === undefined) return ILLEGAL;
    to.set(p);
    to[q] = side + 1;
    return this.completes(to, side, q) ? this.g.sides[side].done : to.includes(0) ? 0 : this.g.full;
  }
  settled(p, side, left, claim) {
    const { g, later } = this, mine = g.sides[claim.me];
    if (mine.tested && !suits(claim, mine.done)) return GOES_ON;
    if (side !== claim.me) {
      const more = this.followed(p, claim);
      return claim.wins && more > left ? GOES_ON : more;
    }
    for (const foot of this.moves) {
      const q = this.columns[foot].find((x) => p[x] === 0);
      if (q === undefined) continue;
      later.set(p);
      later[q] = side + 1;
      if (this.completes(later, side, q)) return 1;
    }
    return GOES_ON;
  }
  // The opponent is to move: how many plies more the game has if the seat keeps the claim by following, or GOES_ON.
  followed(p, claim) {
    const { g, later } = this, { me } = claim, mark = me + 1, mine = g.sides[me], theirs = g.sides[1 - me];
    let odd = null, plies = 0;                               // the free squares of the odd column; all free squares
    later.set(p);                                            // with the squares that are a side's
    for (const foot of this.moves) {
      const column = this.columns[foot], free = column.filter((q) => p[q] === 0);
      if (free.length > 0 && column.indexOf(free[0]) !== column.length - free.length) return GOES_ON;
      plies += free.length;
      if (free.length % 2 === 0) free.forEach((q, i) => { later[q] = i % 2 === 0 ? 2 - me : mark; });
      else if (odd) return GOES_ON;
      else odd = free;
    }
    const dangerous = theirs.tested && !suits(claim, theirs.done);
    const threatens = () => dangerous && g.sets.some(({ need }) => this.all(need, later, 2 - me));
    const holds = ({ need, bar }, board) => bar.length === 0 && this.all(need, board, mark);
    const kept = (board) => mine.good && g.sets.some((set) => holds(set, board));
    this.spend(4 * g.n + 2 * g.sets.length);
    if (threatens()) return GOES_ON;                         // with an odd column: then also with more squares
    if (!odd) return suits(claim, g.full) || kept(later) ? plies : GOES_ON;
    const taken = Buffer.from(p);
    for (let i = 0; i + 1 < odd.length; i += 2) {
      later[odd[i]] = 2 - me; later[odd[i + 1]] = taken[odd[i + 1]] = mark;
      this.spend(2 * g.sets.length);
      if (threatens()) return GOES_ON;
      if (kept(taken)) return plies - (odd.length - i - 2);  // the last one is in the need: none was kept before
    }
    return GOES_ON;
  }
}
class LevelChecker {
  constructor(g, game, claim, limits, spend) {
    Object.assign(this, { g, game, claim, spend, limits, me: claim.me, foe: 1 - claim.me, next: new Set() });
    [this.at, this.mine, this.theirs, this.least] = [0, 1, 2, 3].map(() => Buffer.alloc(game.size));
  }
  check() {
    const { g, game, claim, me } = this, reader = new Reader(g.data, claim.at);
    let n = 0, read = 0;
    if (g.toMove !== me && !game.start.includes(0) && !suits(claim, g.full)) refuse('a full board that does not suit');
    if (g.toMove === me) this.keep(game.start); else this.replies(game.start, ++n);
    for (; this.next.size > 0; n += 2) {
      const level = [...this.next].sort();                   // number by number
      this.next = new Set();
      for (const form of level) {
        if (read++ === claim.nodes) refuse('too few moves');
        this.at.write(form, 'latin1');
        const move = reader.number(256);
        if (this.goesOn(this.at, me, move, this.mine, n + 1)) this.replies(this.mine, n + 2);
      }
    }
    if (read < claim.nodes) refuse('moves left over');
  }
  // Keeps the form of p for the next level.
  keep(p) {
    const { game, least, next } = this, { images, size } = game;
    this.spend(2 * size + 4 * images.length);
    least.set(p);
    for (let k = 0; k < images.length; k++) {
      let i = 0;
      while (i < size && game.image(k, i, p) === least[i]) i++;
      if (i < size && game.image(k, i, p) < least[i]) for (; i < size; i++) least[i] = game.image(k, i, p);
    }
    next.add(least.latin1Slice());
    if (next.size * (size + 100) > this.limits.memory) tooMuch('too many positions');
  }
  // Keeps what the opponent's moves lead to in p, n plies after the start.
  replies(p, n) {
    for (const move of this.game.moves) if (this.goesOn(p, this.foe, move, this.theirs, n)) this.keep(this.theirs);
  }
  // Play goes on after a move that leads to `to`, n plies after the start. Of the opponent any number may be tried.
  goesOn(p, side, move, to, n) {
    const { claim, me } = this, outcome = this.game.play(p, side, move, to);
    this.spend(this.game.size);
    if (outcome === ILLEGAL) return side === me && refuse(`move ${move} is not legal after ${n - 1} plies`);
    if (outcome !== 0 && !suits(claim, outcome)) refuse(`another outcome after ${n} plies`);
    if (outcome === 0 && n >= claim.plies) return claim.wins && refuse(`no win within ${n} plies`);
    const more = outcome !== 0 ? 0 : this.game.settled(to, 1 - side, claim.plies - n, claim);
    if (more !== GOES_ON) claim.longest = Math.max(claim.longest, n + more);
    return more === GOES_ON;
  }
}

// -------------------------------------------------------------------------------------------------------- races
// A position is [First's square, Second's square]; the place of a position in `met` is that of its move in the claim.
class RaceChecker {
  constructor(g, claim, spend) { Object.assign(this, { g, claim, spend, me: claim.me, met: new Map(), list: [] }); }
  // What the moves of a side in p lead to, by the square, in ascending order; won: the side has won there.
  moves(p, side) {
    const { n } = this.g, other = p[1 - side];
    return [-1, 1].map((way) => (p[side] + way === other ? other + way : p[side] + way))
      .filter((to) => to >= 0 && to < n)
      .map((to) => ({ to, p: side === 0 ? [to, other] : [other, to], won: to === (side === 0 ? n - 1 : 0) }));
  }
  check() {
    const { g, claim, me, list } = this, { tokens: [x, o], n } = g;
    if (n < 3 || x === o) refuse('no such position');
    if (x === n - 1 || o === 0) refuse('over at the start');
    const most = claim.wins ? claim.plies : Infinity;
    if (g.toMove === me) this.meet(g.tokens, most); else this.replies(g.tokens, most);
    for (let k = 0; k < list.length; k++) {
      if (k === claim.nodes) refuse('too few moves');
      const { move, rank } = claim.strategy[k], after = this.moves(list[k].p, me).find(({ to }) => to === move);
      if (!after) refuse(`move ${k} is not legal`);
      if (claim.wins && (rank < 1 || rank > list[k].most)) refuse(`rank ${k} is ${rank}`);
      if (!after.won) this.replies(after.p, claim.wins ? rank - 1 : Infinity);
    }
    if (list.length < claim.nodes) refuse('moves left over');
  }
  // The other side moves in p, from where the game has to end within so many plies.
  replies(p, most) {
    for (const { p: q, won } of this.moves(p, 1 - this.me)) {
      this.spend(1);
      if (won) refuse('a reply wins');
      this.meet(q, most - 1);
    }
  }
  meet(p, most) {
    const { met, list, claim } = this, key = `${p}`, at = met.get(key) ?? list.length;
    if (most < 1) refuse('no rank is left');
    if (at === list.length) { met.set(key, at); list.push({ p, most }); }
    list[at].most = Math.min(list[at].most, most);
    if (claim.wins && claim.strategy[at]?.rank > most) refuse(`rank ${at} does not fall`);
  }
}

// ------------------------------------------------------------------------------------------------------ results
const SIDE = ['first', 'second'];
// The start in signs, square by square; of nine boards the squares of each, the owners and the active board too.
function positionText(g) {
  const signs = (numbers) => Array.from(numbers, (k) => '.xo'[k]).join(''), turn = `${SIDE[g.toMove]} to move`;
  if (g.format === 3) {
    const boards = NINE.map((b) => signs(g.start.subarray(9 * b, 9 * b + 9))).join('/');
    return `${boards}, owners ${signs(g.start.subarray(81, 90))}, active ${g.start[90] || 'any'}, ${turn}`;
  }
  const held = g.tokens?.map((q) => [q]) ?? g.start, holder = (q) => held.findIndex((squares) => squares.includes(q));
  return `${signs(Array.from({ length: g.n }, (_, q) => holder(q) + 1))}, ${turn}`;
}
export function check(bytes, limits = ALONE) {
  const result = {
    ok: false, unreadable: false, game: '', position: '', claims: [], value: 'unknown', nodes: 0, reason: '',
  };
  let steps = 0;
  const spend = (k) => { if ((steps += k) > limits.steps) tooMuch('too many steps'); };
  try {
    const g = readCertificate(unpack(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), limits));
    result.game = g.name;
    result.position = positionText(g);
    const told = () => g.claims.map(({ me, wins, plies, longest }) => `${SIDE[me]} ${wins ? 'wins' : 'does not lose'}${
      plies === undefined ? '' : ` within ${(wins && longest) || plies} plies`}`);
    result.claims = told();
    result.nodes = g.claims.reduce((sum, c) => sum + c.nodes, 0);
    let free = 0;                                            // so many plies are not all of the game's
    if (g.format <= 2) {
      prepareGame(g, spend);
      for (const claim of g.claims) new ClaimChecker(g, claim, limits, spend).check();
    } else if (g.format === 5) {
      for (const claim of g.claims) new RaceChecker(g, claim, spend).check();
    } else {
      const game = g.format === 3 ? new NineBoards(g) : new Columns(g, spend);
      free = game.start.subarray(0, g.format === 3 ? 81 : g.n).filter((mark) => mark === 0).length;
      for (const claim of g.claims) new LevelChecker(g, game, claim, limits, spend).check();
    }
    const whole = g.claims.filter(({ wins, plies }) => wins || !(plies < free));
    const winner = whole.find(({ wins }) => wins || g.full !== DRAW), both = whole[0]?.me !== whole.at(-1)?.me;
    Object.assign(result, { ok: true, claims: told(), value: winner ? SIDE[winner.me] : both ? 'draw' : 'unknown' });
  } catch (e) {
    result.reason = e.message;
    result.unreadable = e.kind === 'unreadable';
    if (e.kind === 'too much' || e.message === 'Array buffer allocation failed') result.tooMuch = true;
    else if (!e.kind) result.reason = `fault of the checker: ${e.stack}`;
  }
  result.steps = steps;
  return result;
}
function batch(path, limits) {
  const all = readFileSync(path), out = [];
  let at = 0, length = 0;
  for (; at + 4 <= all.length; at += 4 + length) {
    length = all.readUInt32LE(at);
    const { ok, tooMuch } = check(all.subarray(at + 4, at + 4 + length), limits);
    out.push(ok ? '1' : tooMuch ? 'x' : '0');
  }
  process.stdout.write(`${out.join('')}\n`);
  return at === all.length ? 0 : 2;
}
function main(args) {
  const work = args[0] === '--work' ? { steps: Number(args.splice(0, 2)[1]) } : {};
  if (args[0] === '--batch') return batch(args[1], { ...BATCH, ...work });
  let exit = 0;
  for (const file of args) {
    let result = { ok: false, unreadable: true };
    try { result = check(readFileSync(file), { ...ALONE, ...work }); } catch (e) { result.reason = e.message; }
    console.log(JSON.stringify({ file, ...result }));
    exit = Math.max(exit, result.ok ? 0 : result.unreadable ? 2 : 1);
  }
  return exit;
}
const [, script, ...args] = process.argv;
if (script && import.meta.url === pathToFileURL(script).href) process.exitCode = main(args);
