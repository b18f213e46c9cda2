package space

import (
	"oxo/board"
	"oxo/message"
)

// Words returns the English of the names of features that are no squares, by "feature." and the name.
// Products of features have their names with × between them.
func Words() message.Table {
	words := message.Table{}
	add := func(names []string) {
		for _, name := range names {
			words["feature."+name] = name
		}
	}
	for _, l := range append(boardFeatures(), compositionFeatures()...) {
		add(l.names(&boardView{board: &board.Board{}}))
	}
	for _, l := range nineFeatures() {
		add(l.names(metaView{}))
	}
	return words
}
