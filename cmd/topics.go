package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"oxo"
	"oxo/cmd/licences"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/lab/reproduce"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/show"
)

// topic is something that oxo help tells beside the verbs. docs/reference.md has
// the texts of all.
type topic struct {
	name, about string
	text        func(a *app) string
}

// topics lists the topics, in the order of the reference.
func topics() []topic {
	return []topic{
		{"specs", "how games are named", aboutSpecs},
		{"players", "how players are named", aboutPlayers},
		{"learners", "how learners are named, and their options", aboutLearners},
		{"positions", "how positions and moves of every kind are written", aboutPositions},
		{"files", "games of your own in JSON files", aboutFiles},
		{"records", "score sheets", func(*app) string { return aboutRecords }},
		{"json", "the fields that --json prints", aboutJSON},
		{"exit", "exit statuses", func(*app) string { return aboutExit }},
	}
}

// topicNames lists their names, for completion.
func topicNames() []string {
	var list []string
	for _, t := range topics() {
		list = append(list, t.name)
	}
	return list
}

// referencePage is the page docs/reference.md.
func referencePage(a *app) string {
	var b strings.Builder
	b.WriteString("# Reference\n\nWritten by `oxo help reference`; `oxo help TOPIC` prints one topic of it.\n")
	for _, t := range topics() {
		fmt.Fprintf(&b, "\n## %s: %s\n\n```text\n%s```\n", t.name, t.about, t.text(a))
	}
	return b.String()
}

// listing writes rows of a word and its meaning in two columns.
type listing struct{ strings.Builder }

// head begins a section.
func (l *listing) head(format string, args ...any) {
	if l.Len() > 0 {
		l.WriteByte('\n')
	}
	fmt.Fprintf(l, format+"\n", args...)
}

// row adds a word and its meaning.
func (l *listing) row(word, meaning string) {
	if len([]rune(word)) > 26 && meaning != "" {
		fmt.Fprintf(l, "  %s\n      %s\n", word, meaning)
		return
	}
	l.WriteString(strings.TrimRight(fmt.Sprintf("  %-26s  %s", word, meaning), " ") + "\n")
}

// aboutSpecs is the topic of games' specs, from the kinds themselves.
func aboutSpecs(a *app) string {
	var l listing
	l.head("A game is KIND or KIND:SIZES, and +OPTION for each rule that differs, as in mnk:4,4,4+misere.")
	meanings := map[string]string{}
	var order []string
	l.head("Kinds")
	for _, k := range a.lab.ListKinds() {
		l.row(k.Form, k.About)
		for _, m := range k.OptionMeanings() {
			if meanings[m[0]] == "" {
				order = append(order, m[0])
			}
			meanings[m[0]] = m[1]
		}
	}
	l.head("Options, where a kind has them")
	for _, o := range order {
		l.row("+"+o, meanings[o])
	}
	l.head("Options of each kind")
	for _, k := range a.lab.ListKinds() {
		if len(k.Options) > 0 {
			l.row(k.Name, strings.Join(k.Options, " "))
		}
	}
	return l.String()
}

// aboutPlayers is the topic of players' specs.
func aboutPlayers(a *app) string {
	var l listing
	l.head("A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE. Chance comes from --seed.")
	l.head("Players of all games that suit them")
	for _, p := range a.lab.PlayerKinds() {
		l.row(p.Form, p.About)
	}
	for _, k := range a.lab.ListKinds() {
		if len(k.Only) > 0 {
			l.head("Players of %s alone", k.Name)
		}
		for _, p := range k.Only {
			l.row(p.Form, p.About)
		}
	}
	return l.String()
}

// aboutLearners is the topic of learners' specs and of what they practise on.
func aboutLearners(a *app) string {
	var l listing
	l.head("A learner is NAME or NAME:OPTION=VALUE,OPTION=VALUE. An option that is left out has the value " +
		"shown\nor one that suits the game: oxo train LEARNER --options --game GAME shows which.")
	for _, f := range a.lab.LearnerForms() {
		l.head("%s: %s", f.Name, f.About)
		for _, s := range f.Settings {
			l.row(s.Key+"="+s.Value, s.About)
		}
	}
	l.head("Against whom, with --against")
	l.row(learn.Itself, "the learner plays both sides")
	l.row("pool, pool:A|B|…", "one of those for each game; pool alone is random, optimal or heuristic")
	l.row("any player's spec", "see oxo help players")
	l.head("Starts of games, with --start")
	for _, g := range learn.GeneratorForms() {
		l.row(g[0], g[1])
	}
	return l.String()
}

// aboutPositions is the topic of positions and moves, with an example of each kind.
func aboutPositions(a *app) string {
	var l listing
	l.head("A position is its rows from the top, . for an empty square, joined with /, then the side to move: " +
		"x.o/.x./..o x.\n" +
		"Squares of a grid are a column's letter and a row's number, a1 at the bottom left; three dimensions add the " +
		"level's\n" +
		"letter; other boards number their squares from 1. A board of nine squares also takes 1 to 9, from the top " +
		"left.\n" +
		"Where marks fall on a flat board, a column's letter is a move too. " +
		"Where either mark may be placed, a move is MARK@SQUARE. An unreachable position is refused with the reason.")
	for _, k := range a.lab.ListKinds() {
		if k.Example == "" {
			continue
		}
		g, err := a.lab.Game(k.Example)
		if err != nil {
			continue
		}
		s, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
		if err != nil {
			continue
		}
		moves := s.State().Moves
		l.head("%s", k.Example)
		l.row("start", s.State().Position)
		l.row("moves", clip(strings.Join(moves, " "), 70))
		if len(moves) > 0 && s.Move(moves[len(moves)/2]) == nil {
			l.row("after "+moves[len(moves)/2], s.State().Position)
		}
		s.Close()
	}
	return l.String()
}

// aboutFiles is the topic of games in files.
func aboutFiles(a *app) string {
	var l listing
	for _, k := range a.lab.ListKinds() {
		if k.File == nil || k.File.Example == "" {
			continue
		}
		l.head("%s: %s", k.Form, k.About)
		for _, f := range k.File.Shape {
			l.row(f[0], f[1])
		}
		l.WriteString("\n  for example\n")
		for line := range strings.SplitSeq(k.File.Example, "\n") {
			l.WriteString("    " + line + "\n")
		}
	}
	return l.String()
}

const aboutRecords = `Score sheets are text in the way of chess's PGN: tags, an empty line, the moves with notes, the result.
oxo match --save, oxo tournament --save, oxo play --save and the studio write them, oxo replay and oxo review read them.

  [Game "mnk:15,15,5"]        the game's spec
  [Variant "…"]               its name, for people
  [Date "2026.01.31"]         the day on which it began, where that is known
  [First "…"] [Second "…"]    the players' specs
  [Result "1-0"]              1-0 First won, 0-1 Second won, 1/2-1/2 drawn, * not finished
  [TimeControl "…"]           as --time-control takes it
  [Termination "normal"]      normal, time, illegal, crashed, resigned, agreed, adjudicated or abandoned
  [Reason "…"]                more about an end that is not normal
  [Start "…"]                 where play began, if not at the game's start
  [Opening "…"]               the moves that were given
  [Axis "a1 is bottom left"]  where squares are counted from, always this
  [Seed "…"]                  what chance and players drew from
  [File "…"]                  of a game from a file, what is in it; without it the file that Game names is read, and it is
                              said so; a server reads only files that were brought to it
  [Final "…"]                 the last position

  1. h8 {-/0 0.008697s} e11 {+0.2248/3 0.112234s}

A note is {VALUE/DEPTH SECONDS}: the value to the mover from -1 to 1, ! after it where it is the truth, - for none.
Without clocks the seconds are left out, so that the same match has the same sheets.
`

const aboutExit = `  0  done
  1  done, and the answer is no: a certificate that does not show what is asked, a claim that is not so,
     an engine that broke the rules
  2  it can't be carried out; the error output says in a line or two which word is wrong and what is accepted.
     Also where Ctrl-C stopped it, but for train, search and prove, whose answer is what there is by then
`

// schema is the version of what --json prints. Fields are added without a new
// version; what is there keeps its name and meaning.
const schema = 1

// jsonResults are what verbs print with --json.
var jsonResults = []struct {
	verb string
	of   any
}{
	{"count", lab.CountResult{}}, {"perft", lab.PerftResult{}}, {"solve", solvedAnswer{}}, {"solve --map", mapAnswer{}},
	{"prove", provedAnswer{}},
	{"verify", lab.Verdict{}}, {"proofs GAME", proofEntry{}}, {"proofs", proofsAnswer{}}, {"book", bookAnswer{}},
	{"search", lab.SearchResult{}}, {"ablate", lab.AblateResult{}},
	{"bounds", lab.BoundsResult{}},
	{"puzzles", puzzleLine{}},
	{"reproduce ITEM", reproduce.Result{}}, {"reproduce", itemsAnswer{}},
	{"bench", lab.BenchResult{}}, {"play or walk", oxo.Record{}}, {"review", lab.Judgement{}},
	{"review, the last line", reviewEnd{}}, {"replay", replayAnswer{}}, {"replay --out", fileAnswer{}},
	{"train", trainedAnswer{}}, {"brain show", show.Shown{}}, {"brain show --position", learn.Look{}},
	{"exam", exam.Exam{}}, {"exam by sample", lab.SampledExam{}},
	{"match", jobs.MatchSummary{}},
	{"tournament", jobs.TournamentSummary{}}, {"tune", jobs.TuneSummary{}}, {"version", buildInfo{}},
	{"games GAME", kindAnswer{}}, {"games", listsAnswer{}}, {"licences", licencesAnswer{}}, {"help", helpAnswer{}},
	{"man", pagesAnswer{}}, {"new", newAnswer{}},
}

// aboutJSON is the topic of what --json prints, field by field.
func aboutJSON(a *app) string {
	var l listing
	l.head("Version %d. Verbs that stream print an object a line, the last one the result. Fields are added without "+
		"a new version.\n"+
		"A ? marks a field that may be left out or null; a payoff or value is First's unless it says otherwise.\n"+
		"Not told of here are those of bots, clusters and operators, lines of progress, and the answers of\n"+
		"exam LEARNER, train --options and brain show of a table of winratio.",
		schema)
	for _, r := range jsonResults {
		l.head("oxo %s --json", r.verb)
		eachJSONField(reflect.TypeOf(r.of), "", map[reflect.Type]bool{},
			func(path, kind, meaning string) { l.row(path+" "+kind, meaning) })
	}
	return l.String()
}

// eachJSONField calls tell for the fields of a type as JSON has it, those of objects in them after them,
// unless they were told of already. Path is dotted as in players[].name, with [] for a list and .NAME
// for an object with names of its own; a type that contains itself is told once.
func eachJSONField(t reflect.Type, before string, told map[reflect.Type]bool, tell func(path, kind, meaning string)) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if of := f.Type; of.Kind() == reflect.Pointer {
				eachJSONField(of.Elem(), before, told, tell)
			} else if of.Kind() == reflect.Struct {
				eachJSONField(of, before, told, tell)
			}
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		of, brackets := f.Type, ""
		mayMiss := strings.Contains(options, "omit") || of.Kind() == reflect.Pointer &&
			of != reflect.TypeFor[*big.Int]()
		for again := true; again; {
			switch {
			case of == reflect.TypeFor[*big.Int]():
				mayMiss, again = true, false
			case of.Kind() == reflect.Pointer:
				of = of.Elem()
			case of.Kind() == reflect.Slice || of.Kind() == reflect.Array:
				of, brackets = of.Elem(), brackets+"[]"
			case of.Kind() == reflect.Map:
				of, brackets = of.Elem(), brackets+".NAME"
			default:
				again = false
			}
		}
		kind := jsonKind(of)
		if mayMiss {
			kind += "?"
		}
		tell(before+name+brackets, kind, cmp.Or(f.Tag.Get("doc"), meanings[name]))
		if strings.HasPrefix(kind, "object") && of.Kind() == reflect.Struct && !told[of] {
			told[of] = true
			eachJSONField(of, before+name+brackets+".", told, tell)
		}
	}
}

// jsonKind names what a type is in JSON.
func jsonKind(t reflect.Type) string {
	if t == reflect.TypeFor[*big.Int]() {
		return "integer"
	}
	if t.Kind() == reflect.Struct && t.Implements(reflect.TypeFor[json.Marshaler]()) { // a number too large for others
		return "number"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Uint32:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Struct, reflect.Interface:
		return "object"
	}
	return "string"
}

// meanings says what fields mean that have the same name and meaning in several results. What
// is of one field alone stands at the field, in its tag doc.
var meanings = map[string]string{
	"game":      "the game's spec",
	"sampled":   "by a sample of positions that the exact solver judges; null where there is none",
	"position":  "the position that was asked about",
	"seconds":   "how long it took",
	"nodes":     "nodes that were searched or counted",
	"seed":      "what all draws come from",
	"names":     "the names of the rows: players' specs, or constants",
	"games":     "how many games",
	"wins":      "games won",
	"draws":     "games drawn",
	"losses":    "games lost",
	"move":      "a move, as oxo help positions has it; empty where there is none",
	"pv":        "the play that is expected, the move first",
	"depth":     "plies looked ahead; 0 to the end",
	"stored":    "positions held in memory",
	"positions": "positions",
	"classes":   "positions up to symmetry",
	"algorithm": "the name of the search",
	"complete":  "false where a limit ended it",
	"name":      "the name of it",
	"exam":      "the exam afterwards; null where the game has too many positions",
	"expected":  "the payoff expected, in games with chance, instead of a value",
	"moves":     "the moves in order, each with what is known of it",

	"first":  "that the first player wins, or of the first player",
	"second": "that the second player wins, or of the second player",
	"draw":   "that nobody wins",
	"ply":    "after so many plies, or the number of the ply from 1",

	"exploitability": "what it gives away against the worst reply, over perfect play",
}

// Answers of verbs with --json that are no results of the lab's alone. [jsonResults] has all of which oxo help json
// tells.
type (
	provedAnswer struct {
		*lab.ProveResult
		File     string     `json:"file,omitempty" doc:"the file of the certificate"`
		Known    *lab.Known `json:"known,omitempty" doc:"what is known for certain, where the value is not"`
		Standing string     `json:"standing,omitempty" doc:"what is known, where the value is not, in words"`
		Said     lab.Said   `json:"said,omitempty" doc:"the messages of the standing: keys and arguments, for other languages"`
	}
	solvedAnswer struct { // what is spliced: see printResultJSON
		jobs.TierResult
		File string `json:"file,omitempty" doc:"the file of the strong solution"`
	}
	mapAnswer struct {
		Game string `json:"game"`
		File string `json:"file" doc:"the picture of the map"`
	}
	trainedAnswer struct { // the same
		jobs.TrainSummary
		Seconds float64 `json:"seconds"`
		Out     string  `json:"out" doc:"the file of the brain; empty where none is kept"`
	}
	kindAnswer struct {
		lab.Kind
		Meanings []option `json:"meanings" doc:"the options and what they mean"`
		Rules    string   `json:"rules,omitempty" doc:"the rules of the game that was named"`
	}
	listsAnswer struct {
		Games    []lab.Kind  `json:"games" doc:"the kinds, each as games GAME tells of it"`
		Players  [][2]string `json:"players" doc:"how players are named, and what they are"`
		Learners [][2]string `json:"learners" doc:"the same of learners"`
	}
	proofsAnswer struct {
		Proofs []proofEntry `json:"proofs" doc:"those that oxo has with it, each as proofs GAME tells of it"`
	}
	itemsAnswer struct {
		Items []reproduce.Facts `json:"items" doc:"the claims that can be looked at again"`
	}
	bookAnswer struct {
		Positions int     `json:"positions" doc:"positions so many plies in"`
		Stored    int     `json:"stored" doc:"classes of them, each with its score"`
		Next      int     `json:"next,omitempty" doc:"classes a ply later that have a bit each"`
		Bytes     int64   `json:"bytes" doc:"of the file"`
		Seconds   float64 `json:"seconds"`
	}
	reviewEnd struct {
		Game    string    `json:"game"`
		Moves   int       `json:"moves" doc:"how many moves were judged"`
		Start   lab.Known `json:"start" doc:"what is known of the first position"`
		Summary string    `json:"summary" doc:"how much was certain, in words"`
	}
	replayAnswer struct {
		Game      string      `json:"game"`
		Moves     []string    `json:"moves" doc:"the moves in order"`
		Result    string      `json:"result" doc:"first, second, draw or * while it goes on"`
		Positions []lab.State `json:"positions" doc:"the start and the position after each move"`
	}
	licencesAnswer struct {
		Licences []licences.Licence `json:"licences" doc:"those of what the program is built from"`
	}
	helpAnswer struct {
		Text  string `json:"text" doc:"what is printed without --json"`
		Topic string `json:"topic,omitempty" doc:"that it tells of, or"`
		Verb  string `json:"verb,omitempty" doc:"the verb"`
	}
	pagesAnswer struct {
		Files []string `json:"files" doc:"the files that were written"`
	}
	newAnswer struct {
		pagesAnswer
		Name string `json:"name"`
	}
	fileAnswer struct {
		Game string `json:"game"`
		File string `json:"file" doc:"the file that was written"`
	}
)
