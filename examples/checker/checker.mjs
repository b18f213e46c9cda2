// Checker for certificates of formats 1 and 2, written from certificate.md alone.
//   node checker.mjs [--work STEPS] FILE...    one JSON object a line; exit 0 all ok, 1 some not ok, 2 some unreadable
//   node checker.mjs [--work STEPS] --batch F  F: records of a 4-byte little-endian length and a certificate;
//                                              one character each: 1 ok, 0 refused, x too much work or memory
// In the specification a side is called O and so is a mark. Here the sides of a claim are ME (the seat S) and FOE (its
// opponent). A position is three sets of squares: a (S's; shared marks: the X's), b (the opponent's; the O's), free.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';

class Unreadable extends Error {}   // the bytes are not a certificate
class Refused extends Error {}      // a certificate that breaks a rule or does not show its claim
class TooMuch extends Error {}      // more work or memory than allowed: no verdict
const unreadable = (why) => { throw new Unreadable(why); };
const refuse = (why) => { throw new Refused(why); };

const DRAW = 3;
const OWN = 0, EITHER = 1, CROSS = 2;             // what is placed
const MOVE = 0, LINE = 1, WAIT = 2;               // kinds of node
const ALONE = { steps: 3e10, unpacked: 2 ** 30, memory: 2 ** 31 };
const BATCH = { steps: 2e9, unpacked: 2 ** 26, memory: 2 ** 28 };

// ---------------------------------------------------------------------------------------------------- bytes

// Checks the first line, the checksum and the extent of the DEFLATE stream; returns the format and what is unpacked.
function unpack(bytes, limits) {
  const head = bytes.subarray(0, 12).toString('latin1');
  const format = head === 'oxo proof 1\n' ? 1 : head === 'oxo proof 2\n' ? 2 : unreadable('first line');
  if (bytes.length < 12 + 32) unreadable('too short for a checksum');
  const end = bytes.length - 32;
  if (!createHash('sha256').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) unreadable('checksum');
  let out;
  try {
    out = inflateRawSync(bytes.subarray(12, end), { info: true, maxOutputLength: limits.unpacked });
  } catch (e) {
    if (e.code === 'ERR_BUFFER_TOO_LARGE') throw new TooMuch('unpacks to too many bytes');
    unreadable(`DEFLATE: ${e.message}`);
  }
  if (out.engine.bytesWritten !== end - 12) unreadable('DEFLATE stream ends before the checksum');
  return { format, data: out.buffer };
}

class Reader {
  constructor(data) { this.data = data; this.at = 0; }
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
  set(n) {
    const squares = [];
    for (let left = this.number(n + 1), last = -1; left > 0; left--) {
      const q = this.number(n);
      if (q <= last) unreadable('set not in ascending order');
      squares.push(last = q);
    }
    return squares;
  }
}

// The node that was read last. Its lists are reused from node to node, as large as the largest game needs them.
const node = {
  kind: 0, move: 0, end: 0, perm: 0, pairs: 0, lines: 0, replies: 0,
  pair: new Int32Array(2 * 512), reply: new Int32Array(3 * 512),
  lineAt: new Int32Array(513), lineMove: new Int32Array(512 * 512),   // line k is lineMove[lineAt[k]..lineAt[k + 1])
};

// Reads a node; `further` is how many nodes follow it.
function readNode(reader, moves, permCount, further) {
  const line = (k) => {
    let at = node.lineAt[k];
    for (let left = reader.number(moves + 1); left > 0; left--) node.lineMove[at++] = reader.number(moves);
    node.lineAt[k + 1] = at;
  };
  node.kind = reader.number(3);
  node.pairs = node.lines = node.replies = 0;
  if (node.kind === LINE) { line(0); node.lines = 1; return; }
  if (node.kind === MOVE) node.move = reader.number(moves);
  node.end = reader.number(5);
  if (node.end === 4) node.perm = reader.number(permCount);
  node.pairs = reader.number(moves + 1);
  for (let i = 0; i < 2 * node.pairs; i++) node.pair[i] = reader.number(moves);
  node.lines = reader.number(moves + 1);
  for (let k = 0; k < node.lines; k++) line(k);
  node.replies = reader.number(moves + 1);
  for (let k = 0; k < node.replies; k++) {
    node.reply[3 * k] = reader.number(moves);
    node.reply[3 * k + 1] = reader.number(permCount);
    const step = node.reply[3 * k + 2] = reader.number(further + 1);
    if (step === 0) unreadable('a reply leads to its own node');
  }
}

// Reads everything but keeps of the nodes only where they begin. Says nothing yet about the rules.
function readCertificate(format, data) {
  const r = new Reader(data), g = { format, kindOfMark: OWN };
  const name = [];
  for (let left = r.number(65536); left > 0; left--) name.push(r.number(256));
  g.name = Buffer.from(name).toString('utf8');
  const n = g.n = r.number(257);
  if (n === 0) unreadable('no squares');
  g.sets = [];
  for (let left = r.number(65536); left > 0; left--) g.sets.push({ need: r.set(n), bar: r.set(n) });
  g.falls = r.flag();
  g.below = new Int32Array(n).fill(-1);
  if (g.falls) for (let q = 0; q < n; q++) g.below[q] = r.number(n + 1) - 1;
  g.tested = []; g.done = [];
  for (let s = 0; s < 2; s++) { g.tested.push(r.flag()); g.done.push(r.number(3)); }
  g.full = r.number(4);
  if (format === 2) g.kindOfMark = r.number(2) === 0 ? EITHER : CROSS;
  g.start = [r.set(n), r.set(n)];
  g.toMove = r.number(2);
  g.moves = g.kindOfMark === EITHER ? 2 * n : n;
  g.perms = [];
  for (let left = r.number(2 ** 20); left > 0; left--) {
    const p = new Uint8Array(n);
    for (let q = 0; q < n; q++) p[q] = r.number(n);
    g.perms.push(p);
  }
  g.claims = [];
  const count = r.number(3);
  if (count === 0) unreadable('no claim');
  for (let c = 0; c < count; c++) {
    const claim = { me: r.number(2), wins: r.flag(), stealing: r.flag(), relaxed: r.flag(), nodes: r.number(2 ** 31 - 1) };
    if (claim.stealing !== (claim.nodes === 0)) unreadable('nodes do not fit the flag of strategy stealing');
    claim.at = r.at;
    for (let i = 0; i < claim.nodes; i++) readNode(r, g.moves, g.perms.length, claim.nodes - 1 - i);
    g.claims.push(claim);
  }
  if (r.at !== data.length) unreadable('bytes left over');
  g.data = data;
  return g;
}

// ---------------------------------------------------------------------------------------------------- the game

// Squares sets are `words` 32-bit integers each. Checks what makes a game refused and prepares the tables.
function prepareGame(g, budget) {
  const { n, sets } = g, words = g.words = (n + 31) >> 5, count = sets.length;
  const spend = (k) => { if ((budget.steps -= k) < 0) throw new TooMuch('too many steps'); };
  g.need = new Int32Array(count * words);
  g.bar = new Int32Array(count * words);
  g.hasBars = false;
  const put = (target, at, q) => { target[at + (q >> 5)] |= 1 << (q & 31); };
  const containing = Array.from({ length: n }, () => []);
  const known = new Set();
  const key = (need, bar) => String.fromCharCode(...need, 256, ...bar);
  sets.forEach(({ need, bar }, i) => {
    if (need.length === 0) refuse('empty need');
    for (const q of need) { put(g.need, i * words, q); containing[q].push(i); }
    for (const q of bar) { put(g.bar, i * words, q); g.hasBars = true; }
    for (let w = i * words; w < (i + 1) * words; w++) if (g.need[w] & g.bar[w]) refuse('need meets its bar');
    const k = key(need, bar);
    if (known.has(k)) refuse('two equal winning sets');
    known.add(k);
  });
  g.setsAt = containing.map((list) => Int32Array.from(list));   // the winning sets whose need has a square
  for (let q = 0; q < n; q++) {
    let steps = 0;
    for (let under = g.below[q]; under >= 0; under = g.below[under]) if (++steps >= n) refuse('squares rest on themselves');
  }
  for (let s = 0; s < 2; s++) if (g.tested[s] && g.done[s] === 0) refuse('tested with done 0');
  if (g.full === 0) refuse('full 0');
  const [first, second] = g.startMarks = g.start.map((list) => {
    const marks = new Int32Array(words);
    for (const q of list) put(marks, 0, q);
    return marks;
  });
  for (let w = 0; w < words; w++) if (first[w] & second[w]) refuse('a square that both hold');
  if (g.kindOfMark === CROSS && g.start[1].length > 0) refuse('cross with an O at the start');
  g.startMarks.forEach((marks, s) => {
    if (!(g.kindOfMark === OWN ? g.tested[s] : g.tested[0] || g.tested[1])) return;
    for (let i = 0; i < count; i++) if (owns(g, i, marks)) refuse('over at the start');
  });
  // Permutations.
  const seen = new Set();
  g.perms.forEach((p, k) => {
    spend(n * 4);
    const hit = new Uint8Array(n);
    for (const q of p) { if (hit[q]) refuse(`permutation ${k} repeats a square`); hit[q] = 1; }
    const text = String.fromCharCode(...p);
    if (seen.has(text)) refuse(`permutation ${k} comes twice`);
    seen.add(text);
    const image = (list) => list.map((q) => p[q]).sort((x, y) => x - y);
    for (const { need, bar } of sets) {
      spend(20 * (1 + need.length + bar.length));
      if (!known.has(key(image(need), image(bar)))) refuse(`permutation ${k} carries a winning set to none`);
    }
    for (let q = 0; q < n; q++) {
      const under = g.below[q];
      if (g.below[p[q]] !== (under < 0 ? -1 : p[under])) refuse(`permutation ${k} does not carry what is below`);
    }
  });
  const good = g.good = [0, 1].map((s) => g.tested[s] && g.done[s] === s + 1);
  g.positional = [0, 1].every((s) => good[s] || !g.tested[s]) && g.kindOfMark === OWN && !g.falls;
  g.monotone = g.positional && !g.hasBars;
}

// The marks own winning set i: they hold its need and nothing of its bar.
function owns(g, i, marks) {
  for (let w = 0, at = i * g.words; w < g.words; w++, at++) {
    if ((g.need[at] & ~marks[w]) !== 0 || (g.bar[at] & marks[w]) !== 0) return false;
  }
  return true;
}
const isEmpty = (set) => { for (let w = 0; w < set.length; w++) if (set[w] !== 0) return false; return true; };
const has = (set, q) => (set[q >> 5] >>> (q & 31) & 1) === 1;
const add = (set, q) => { set[q >> 5] |= 1 << (q & 31); };
const remove = (set, q) => { set[q >> 5] &= ~(1 << (q & 31)); };

// ---------------------------------------------------------------------------------------------------- one claim

class ClaimChecker {
  constructor(g, claim, limits, budget) {
    const { words } = g, set = () => new Int32Array(words), list = () => new Int32Array(g.sets.length);
    Object.assign(this, { g, claim, budget, words, me: claim.me, foe: 1 - claim.me });
    this.openForMe = g.good[this.me] && !claim.relaxed;      // so that sets alive for own are open for S
    this.openForFoe = g.good[this.foe];
    this.fullSuits = this.suits(g.full);
    this.a = set(); this.b = set(); this.free = set();       // the position at hand
    this.na = set(); this.nb = set(); this.nfree = set();    // its normal
    this.la = set(); this.lb = set(); this.lfree = set();    // the position inside a line
    this.mine = list(); this.mineCount = 0;                  // the winning sets open for S, found by findOpen
    this.theirs = list(); this.theirsCount = 0;              // those open for its opponent
    this.wins = set(); this.image = new Int32Array(3 * words); this.common = set(); this.covered = set();
    this.replyAt = new Int32Array(g.moves); this.answered = new Uint8Array(g.moves);
    if (claim.nodes * 3 * words * 4 > limits.memory) throw new TooMuch('too many nodes');
    this.position = new Int32Array(claim.nodes * 3 * words); // a, b and free of each node
    this.reached = new Uint8Array(claim.nodes);
  }

  spend(k) { if ((this.budget.steps -= k) < 0) throw new TooMuch('too many steps'); }
  suits(outcome) { return this.claim.wins ? outcome === this.me + 1 : outcome !== this.foe + 1; }

  check() {
    const { g, claim } = this;
    if (claim.stealing) {
      if (claim.wins) refuse('strategy stealing shows no win');
      if (!g.monotone || !g.good[0] || !g.good[1] || g.full !== DRAW) refuse('strategy stealing in such a game');
      if (g.start[0].length + g.start[1].length > 0 || g.toMove !== this.me) refuse('strategy stealing from such a start');
      return;
    }
    // Node 0 is the normal of the start.
    const swap = g.kindOfMark === OWN && this.me === 1;
    this.a.set(g.startMarks[swap ? 1 : 0]);
    this.b.set(g.startMarks[swap ? 0 : 1]);
    for (let q = 0; q < g.n; q++) if (!has(this.a, q) && !has(this.b, q)) add(this.free, q);
    this.findOpen();
    this.normal();
    this.position.set(this.na, 0);
    this.position.set(this.nb, this.words);
    this.position.set(this.nfree, 2 * this.words);
    this.reached[0] = 1;
    const reader = new Reader(g.data);
    reader.at = claim.at;
    for (let i = 0; i < claim.nodes; i++) {
      readNode(reader, g.moves, g.perms.length, claim.nodes - 1 - i);
      try {
        this.checkNode(i);
      } catch (e) {
        if (e instanceof Refused) e.message = `node ${i}: ${e.message}`;
        throw e;
      }
    }
  }

  // Winning set i is alive for the marks, with the free squares given.
  alive(i, marks, free) {
    const { need, bar } = this.g;
    for (let w = 0, at = i * this.words; w < this.words; w++, at++) {
      if ((need[at] & ~(marks[w] | free[w])) !== 0 || (bar[at] & marks[w]) !== 0) return false;
    }
    return true;
  }
  anyAlive(marks) {
    this.spend(this.g.sets.length * this.words);
    for (let i = 0; i < this.g.sets.length; i++) if (this.alive(i, marks, this.free)) return true;
    return false;
  }
  // Lists the winning sets open for each side in the position at hand. Later moves only close some of them.
  findOpen() {
    const count = this.g.sets.length;
    this.spend(2 * count * this.words);
    this.mineCount = this.theirsCount = 0;
    if (this.openForMe) for (let i = 0; i < count; i++) if (this.alive(i, this.a, this.free)) this.mine[this.mineCount++] = i;
    if (this.openForFoe) for (let i = 0; i < count; i++) if (this.alive(i, this.b, this.free)) this.theirs[this.theirsCount++] = i;
  }
  // The normal of the position at hand, which comes from the one of findOpen by no or more moves.
  normal() {
    const { a, b, free, na, nb, nfree, words } = this, { need, monotone } = this.g;
    this.spend(words * (4 + this.mineCount + this.theirsCount));
    nfree.fill(monotone ? 0 : -1);                           // at first: the squares in play
    if (monotone) {
      for (let k = 0; k < this.mineCount; k++) {
        const i = this.mine[k];
        if (this.alive(i, a, free)) for (let w = 0; w < words; w++) nfree[w] |= need[i * words + w];
      }
      for (let k = 0; k < this.theirsCount; k++) {
        const i = this.theirs[k];
        if (this.alive(i, b, free)) for (let w = 0; w < words; w++) nfree[w] |= need[i * words + w];
      }
    }
    for (let w = 0; w < words; w++) {
      na[w] = a[w] & nfree[w];
      nb[w] = b[w] & nfree[w];
      nfree[w] &= free[w];
    }
  }

  square(move) { return move < this.g.n ? move : move - this.g.n; }
  marks(side, move) {
    const first = this.g.kindOfMark === OWN ? side === this.me : move < this.g.n;
    return first ? this.a : this.b;
  }
  legal(move) {
    const q = this.square(move), under = this.g.below[q];
    return has(this.free, q) && (under < 0 || !has(this.free, under));
  }
  place(side, move) { add(this.marks(side, move), this.square(move)); remove(this.free, this.square(move)); }
  takeBack(side, move) { remove(this.marks(side, move), this.square(move)); add(this.free, this.square(move)); }
  // The mark that the side just put by the move completes a set.
  completes(side, move) { return this.g.tested[side] && this.ownsAt(this.square(move), this.marks(side, move)); }
  ownsAt(q, marks) {
    const through = this.g.setsAt[q];
    this.spend(through.length);
    for (let k = 0; k < through.length; k++) if (owns(this.g, through[k], marks)) return true;
    return false;
  }

  // The listed sets that the marks own after one mark more on a free square: those squares go to `wins`.
  findWins(list, count, marks, free) {
    const { words, wins } = this, { need, bar } = this.g;
    this.spend(count * words);
    wins.fill(0);
    let found = false;
    for (let k = 0; k < count; k++) {
      const at = list[k] * words;
      let word = -1;                                         // where the only missing square is; -2: there are more
      for (let w = 0; w < words && word !== -2; w++) {
        const missing = need[at + w] & ~marks[w];
        if ((bar[at + w] & marks[w]) !== 0) word = -2;
        else if (missing !== 0) word = word !== -1 || (missing & (missing - 1)) !== 0 || (missing & ~free[w]) !== 0 ? -2 : w;
      }
      if (word >= 0) { wins[word] |= need[at + word] & ~marks[word]; found = true; }
    }
    return found;
  }

  // Line k of the node wins from the position at hand, S to move.
  lineWins(k) {
    const { g, la, lb, lfree, wins } = this, from = node.lineAt[k], to = node.lineAt[k + 1];
    if (!this.openForMe || from === to) return false;
    if (!g.positional) {
      const move = node.lineMove[from];
      if (to - from !== 1 || !this.legal(move)) return false;
      this.place(this.me, move);
      const won = this.completes(this.me, move);
      this.takeBack(this.me, move);
      return won;
    }
    this.spend(3 * this.words);
    la.set(this.a); lb.set(this.b); lfree.set(this.free);
    for (let at = from; at < to; at++) {
      const q = node.lineMove[at];
      if (!has(lfree, q)) return false;
      add(la, q); remove(lfree, q);
      if (this.ownsAt(q, la)) return true;
      if (this.findWins(this.theirs, this.theirsCount, lb, lfree)) return false;
      if (!this.findWins(this.mine, this.mineCount, la, lfree)) return false;
      let only = -1;
      for (let w = 0; w < this.words; w++) {
        if (wins[w] === 0) continue;
        if (only >= 0 || (wins[w] & (wins[w] - 1)) !== 0) return true;   // two or more
        only = 32 * w + 31 - Math.clz32(wins[w]);
      }
      add(lb, only); remove(lfree, only);
    }
    return false;
  }

  checkNode(i) {
    const { g, words } = this;
    if (!this.reached[i]) refuse('no edge leads to it');
    for (let w = 0, at = 3 * words * i; w < words; w++, at++) {
      this.a[w] = this.position[at];
      this.b[w] = this.position[at + words];
      this.free[w] = this.position[at + 2 * words];
    }
    if ((node.kind === WAIT) !== (i === 0 && g.toMove === this.foe)) refuse('kind 2 is for node 0 where the opponent moves');
    if (node.kind === LINE) {
      this.findOpen();
      if (!this.lineWins(0)) refuse('its line does not win');
      return;
    }
    this.replyAt.fill(-1);
    for (let k = 0; k < node.replies; k++) {
      const move = node.reply[3 * k];
      if (this.replyAt[move] >= 0) refuse(`move ${move} is listed twice`);
      this.replyAt[move] = k;
    }
    if (node.kind === MOVE) {
      if (!this.legal(node.move)) refuse(`move ${node.move} is not legal`);
      this.place(this.me, node.move);
      if (this.completes(this.me, node.move) && !this.suits(g.done[this.me])) refuse('its move completes a set');
    }
    if (node.end === 0) this.checkReplies(i);
    else if (node.end <= 2) this.checkPotential();
    else if (node.end === 3) this.checkSettled();
    else this.checkMirror(g.perms[node.perm]);
  }

  // End 0: each legal move of the opponent is answered.
  checkReplies(i) {
    const { g, foe, answered, covered } = this;
    let legalMoves = 0, open = 0;
    answered.fill(0);
    covered.fill(0);                                         // the squares that have 1, 2 or 3
    this.findOpen();
    for (let move = 0; move < g.moves; move++) {
      const k = this.replyAt[move];
      if (!this.legal(move)) {
        if (k >= 0) refuse(`listed move ${move} is not legal`);
        continue;
      }
      legalMoves++;
      this.spend(4);
      this.place(foe, move);
      if (this.completes(foe, move)) {
        if (!this.suits(g.done[foe])) refuse(`move ${move} completes a set`);
        if (k >= 0) refuse(`listed move ${move} ends the game`);
        answered[move] = 1;
      } else if (k >= 0) {
        this.normal();
        if (isEmpty(this.nfree)) refuse(`listed move ${move} leaves no square`);
        this.follow(i + node.reply[3 * k + 2], g.perms[node.reply[3 * k + 1]]);
        answered[move] = 1;
      } else {
        for (let line = 0; line < node.lines && !answered[move]; line++) if (this.lineWins(line)) answered[move] = 1;
        if (!answered[move] && this.fullSuits) {
          this.normal();
          if (isEmpty(this.nfree)) answered[move] = 2;
        }
      }
      this.takeBack(foe, move);
      if (answered[move] === 1) add(covered, this.square(move));
      else if (answered[move] === 0) open++;
    }
    if (legalMoves === 0 && !this.fullSuits) refuse('no legal move, and full does not suit');
    for (let move = 0; move < g.moves && open > 0; move++) {
      if (this.legal(move) && !answered[move] && !this.dominated(move)) refuse(`move ${move} has no answer`);
    }
  }

  // Square r lies, with one of the squares covered, in no open set that has r but not that one.
  dominated(r) {
    const { g, common, words } = this;
    if (!g.monotone) return false;
    common.set(this.covered);
    this.spend(2 * g.setsAt[r].length * words);
    for (const i of g.setsAt[r]) {
      const open = this.openForMe && this.alive(i, this.a, this.free) || this.openForFoe && this.alive(i, this.b, this.free);
      if (!open) continue;
      if (this.openForMe && this.openForFoe) return false;
      for (let w = 0; w < words; w++) common[w] &= g.need[i * words + w];
    }
    return !isEmpty(common);
  }

  // The node is reached: its position is the image of the normal under the permutation.
  follow(target, perm) {
    const { image, words, position } = this, at = 3 * words * target;
    this.spend(this.g.n);
    image.fill(0);
    this.carry(this.na, perm, 0);
    this.carry(this.nb, perm, words);
    this.carry(this.nfree, perm, 2 * words);
    if (!this.reached[target]) {
      for (let w = 0; w < 3 * words; w++) position[at + w] = image[w];
      this.reached[target] = 1;
    } else {
      for (let w = 0; w < 3 * words; w++) if (position[at + w] !== image[w]) refuse(`another position for node ${target}`);
    }
  }
  carry(from, perm, at) {
    for (let w = 0; w < this.words; w++) {
      for (let left = from[w]; left !== 0; left &= left - 1) {
        const q = perm[32 * w + 31 - Math.clz32(left & -left)];
        this.image[at + (q >> 5)] |= 1 << (q & 31);
      }
    }
  }

  // Ends 1 and 2. As long as sums are below 2 they are exact in floating point: all weights are multiples of 2^-50.
  checkPotential() {
    const { g, free } = this;
    if (this.claim.wins || !g.positional || !this.fullSuits) refuse('pairs and potential in such a game');
    const partner = new Int32Array(g.n).fill(-1), through = new Float64Array(g.n);
    for (let k = 0; k < node.pairs; k++) {
      const x = node.pair[2 * k], y = node.pair[2 * k + 1];
      if (x === y || !has(free, x) || !has(free, y)) refuse('a pair is not of two free squares');
      if (partner[x] >= 0 || partner[y] >= 0) refuse('pairs are not disjoint');
      partner[x] = y; partner[y] = x;
    }
    this.findOpen();
    let sum = 0;
    for (let k = 0; k < this.theirsCount; k++) {
      const { need } = g.sets[this.theirs[k]];
      this.spend(3 * need.length);
      if (need.some((q) => partner[q] >= 0 && need.includes(partner[q]))) continue;
      const loose = need.filter((q) => has(free, q) && partner[q] < 0);
      const weight = 2 ** -Math.min(loose.length, 50);
      sum += weight;
      if (sum >= 1) refuse('the potential is 1 or more');
      for (const q of loose) through[q] += weight;
    }
    let most = 0;
    for (let q = 0; q < g.n; q++) most = Math.max(most, through[q]);
    if (sum + most >= 1) refuse('the potential with one square more is 1 or more');
  }

  // End 3.
  checkSettled() {
    const { g, me, foe } = this;
    if (!this.fullSuits) refuse('settled, and full does not suit');
    let first = g.tested[me] && !this.suits(g.done[me]), second = g.tested[foe] && !this.suits(g.done[foe]);
    if (g.kindOfMark !== OWN) {
      first = !this.suits(g.done[0]) || !this.suits(g.done[1]);
      second = first && g.kindOfMark === EITHER;
    }
    if (first && this.anyAlive(this.a) || second && this.anyAlive(this.b)) refuse('not settled');
  }

  // End 4.
  checkMirror(p) {
    const { g, a, b, free, foe } = this;
    if (g.kindOfMark !== OWN || !g.tested[foe] || !this.suits(g.done[foe]) || !this.fullSuits) refuse('mirror in such a game');
    for (let q = 0; q < g.n; q++) {
      if (p[p[q]] !== q) refuse('the mirror is not its own inverse');
      if (has(free, q) && !has(free, p[q])) refuse('the mirror carries a free square to another');
      if (p[q] === q ? !has(a, q) : has(a, q) !== has(b, p[q]) || has(b, q) !== has(a, p[q])) refuse('marks are not mirrored');
    }
    for (const { need } of g.sets) {
      this.spend(4 * need.length);
      if (!need.some((q) => p[q] === q)) continue;
      if (need.every((q) => p[q] === q)) refuse('a winning set is kept in place');
      if (!need.every((q) => need.includes(p[q]))) refuse('a winning set with a kept square is carried to another');
    }
  }
}

// ---------------------------------------------------------------------------------------------------- results

const SIDE = ['first', 'second'];

function valueOf(g) {
  for (const { me, wins } of g.claims) if (wins || g.full !== DRAW) return SIDE[me];
  return new Set(g.claims.map((c) => c.me)).size === 2 ? 'draw' : 'unknown';
}

export function check(bytes, limits = ALONE) {
  const result = { ok: false, unreadable: false, game: '', claims: [], value: 'unknown', nodes: 0, reason: '' };
  const budget = { steps: limits.steps };
  try {
    const { format, data } = unpack(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), limits);
    const g = readCertificate(format, data);
    result.game = g.name;
    result.claims = g.claims.map((c) => `${SIDE[c.me]} ${c.wins ? 'wins' : 'does not lose'}`);
    result.nodes = g.claims.reduce((sum, c) => sum + c.nodes, 0);
    prepareGame(g, budget);
    g.claims.forEach((claim, c) => {
      try {
        new ClaimChecker(g, claim, limits, budget).check();
      } catch (e) {
        if (e instanceof Refused) e.message = `${result.claims[c]}: ${e.message}`;
        throw e;
      }
    });
    result.value = valueOf(g);
    result.ok = true;
  } catch (e) {
    result.reason = e.message;
    if (e instanceof Unreadable) result.unreadable = true;
    else if (e instanceof TooMuch || e instanceof RangeError) result.tooMuch = true;
    else if (!(e instanceof Refused)) result.reason = `fault of the checker: ${e.stack}`;
  }
  result.steps = limits.steps - budget.steps;
  return result;
}

function batch(path, limits) {
  const all = readFileSync(path), out = [];
  let at = 0;
  for (; at + 4 <= all.length; at += 4 + all.readUInt32LE(at)) {
    const { ok, tooMuch } = check(all.subarray(at + 4, Math.min(all.length, at + 4 + all.readUInt32LE(at))), limits);
    out.push(ok ? '1' : tooMuch ? 'x' : '0');
  }
  process.stdout.write(`${out.join('')}\n`);
  return at === all.length ? 0 : 2;
}

function main(args) {
  const work = args[0] === '--work' ? { steps: Number(args[1]) } : {};
  if (work.steps) args = args.slice(2);
  if (args[0] === '--batch') return batch(args[1], { ...BATCH, ...work });
  let exit = 0;
  for (const file of args) {
    let result = { ok: false, unreadable: true, reason: 'no such file' };
    try { result = check(readFileSync(file), { ...ALONE, ...work }); } catch (e) { result.reason = e.message; }
    console.log(JSON.stringify({ file, ...result }));
    exit = Math.max(exit, result.ok ? 0 : result.unreadable ? 2 : 1);
  }
  return exit;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2));
