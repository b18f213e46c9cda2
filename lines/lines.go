// Package lines plays positional games on large boards: each side places its
// own mark on any empty square, and who owns a line first wins. Five in a row
// on 15×15 or 20×20 is one of them; nothing here knows rows from other lines.
//
// It is alpha-beta built on one number for each line and side, the line's
// rest: how many marks the side still needs to own it. Rests are kept move by
// move ([state]), and all else is read from them: what a position is worth, in
// which order to try moves, and threats. A side with a line of rest 1 wins at
// once, so the other must answer it; [fours] searches for wins by nothing but
// such threats, and for the squares that could disturb them, which are all the
// moves that the defender needs to try. Allis calls that threat-space search
// (Searching for Solutions in Games and Artificial Intelligence, 1994, chapter
// 5); the idea is told here of any lines.
//
// [Player] is the door.
package lines
