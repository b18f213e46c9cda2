// Package lines plays positional games on large boards: each side places its
// own mark on any empty square, and who owns a line first wins. Five in a row
// on 15×15 or 20×20 is one of them; nothing here knows rows from other lines.
//
// It is alpha-beta built on one number for each line and side, the line's
// rest: how many marks the side still needs to own it. Rests are kept move by
// move ([state]), and all else is read from them: what a position is worth, and in
// which order to try moves. Package threats finds wins by threats, and the squares that
// could disturb them, which are all the moves that the defender needs to try.
//
// [LinePlayer] is the door.
package lines
