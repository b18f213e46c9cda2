// Package certificate is the written form of a weak solution: a [Proof] is a game
// with claims about its start, each with a strategy that keeps what it claims
// against every reply. [Proof.WriteTo] and [Read] write and read the format that
// docs/certificate.md describes; a [Walker] plays by one.
//
// Package prove finds proofs, package verify checks them without trusting either.
package certificate
