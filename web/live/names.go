package live

import (
	"slices"
	"strings"
	"unicode"

	"oxo/web/service"
)

// alike are letters that look like others, each followed by the one that it is folded to.
var alike = strings.NewReplacer("0", "o", "1", "l", "i", "l",
	"а", "a", "в", "b", "е", "e", "ё", "e", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t",
	"у", "y", "х", "x", "ѕ", "s", "і", "l", "ї", "l", "ј", "j", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w", "ӏ", "l",
	"α", "a", "β", "b", "γ", "y", "ε", "e", "η", "n", "ι", "l", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t",
	"υ", "u", "χ", "x", "ω", "w", "ϲ", "c", "ϳ", "j", "օ", "o", "ո", "n", "ս", "u", "հ", "h",
	"ı", "l", "ɑ", "a", "ɡ", "g")

// styled are runs of Latin letters and digits in another style, from the first to the last, and what the first one is;
// a run begins anew after period characters.
var styled = []struct{ from, to, first, period rune }{
	{'！', '～', '!', 94}, {'Ⓐ', 'Ⓩ', 'a', 26}, {'ⓐ', 'ⓩ', 'a', 26}, {'⒜', '⒵', 'a', 26}, {'🄰', '🅉', 'a', 26},
	{'🅐', '🅩', 'a', 26}, {'🅰', '🆉', 'a', 26}, {'𝐀', '𝚣', 'a', 26}, {'𝟎', '𝟿', '0', 10},
}

// foldName is a name without what a reader overlooks: capitals, the style of letters, blanks, punctuation, marks on
// letters, and which alphabet a letter is of. Names that look alike have the same.
func foldName(name string) string {
	plain := strings.Map(func(c rune) rune {
		for _, s := range styled {
			if s.from <= c && c <= s.to {
				c = s.first + (c-s.from)%s.period
			}
		}
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
	return alike.Replace(plain)
}

// reserved are names that somebody could be taken for somebody else by, players of the program among them, folded.
var reserved = func() (list []string) {
	for _, name := range append(service.AcceptedPlayers(), "admin", "administrator", "anybody", "bot", "chance",
		"computer", "engine", "first", guestName, "human", "moderator", "nobody", "operator", "oxo", "root", "second",
		"server", "somebody", "system", "tournament") {
		list = append(list, foldName(name))
	}
	return list
}()

// guestName is what people without a name are called.
const guestName = "Guest"

// isReserved reports whether a name looks like one that is reserved.
func isReserved(name string) bool { return slices.Contains(reserved, foldName(name)) }

// looksLikeBot reports whether a name looks like that of a bot that listens.
func (h *Lobby) looksLikeBot(name string) bool {
	return slices.ContainsFunc(h.ListeningBots(), func(bot string) bool { return foldName(bot) == foldName(name) })
}
