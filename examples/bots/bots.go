// Package bots holds bots in three languages, of at most twenty lines each.
package bots

import _ "embed"

// Python is a bot that accepts every challenge and plays the middle one of the legal moves.
// It is told the server in OXO_URL and its token in OXO_TOKEN.
//
//go:embed bot.py
var Python string
