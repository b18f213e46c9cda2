// Package threats searches games of squares and winning sets for wins by threats, for players, reviews and proofs.
//
// A side with a line that needs one more mark wins at once, so that the other must answer there. [Search] looks for
// wins in which every move makes such a line, until one makes two: continuous threats (in five in a row, continuous
// fours). [SlowerSearch] looks for wins by these and threats one level slower (open threes). Both tell the zone of a
// win: the squares on which a reply could disturb it, which are all that a defender needs to try. Allis calls that
// threat-space search (Searching for Solutions in Games and Artificial Intelligence, 1994, chapter 5); here it is told
// of any lines.
//
// A [State] is a position by what each side still needs of every line.
// [Finder] is the door for callers that know their board at run time only.
package threats
