// Package prove solves positional games weakly: it finds who wins from a
// position, or that nobody does, with a strategy that keeps the result against
// every reply. [Prove] does the work and returns a [certificate.Proof], which
// package verify checks without trusting this one.
//
// Inside, reading order:
//
//   - package threats: a position as bit sets over squares and over lines, wins by
//     threats, and the zone of replies that can disturb such a win;
//   - package pairing: what ends a position that the attacker cannot win;
//   - rules.go: what moves do; eval.go, plain.go: how a position is judged before it
//     is searched, the second one for misère games and gravity;
//   - dfpn.go: the proof-number search, with table.go, symmetry.go and team.go, and
//     round.go for searches that do not see one another;
//   - strategy.go: the strategy of a search that has come to an end;
//   - theory.go: claims that hold without a search;
//   - prove.go, question.go: which searches are put, and for how long each.
package prove
