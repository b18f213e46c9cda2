// The board of a position, with what the games of several boards need.
import type { Position } from "./api";
import { Board, type BoardProps } from "./board";
import { openBoards } from "./game";
import { boardOwners } from "./plain";
import { say } from "./text";
import { completedToLose, marks, side } from "./words";

// lost says that whom the page is for has.
interface Props extends Omit<BoardProps, "info" | "marks" | "last" | "legal" | "won" | "open" | "owners"> { p: Position; last: number; legal: Map<number, string[]> }

// Score is how many boards each side has won, where whoever has more of them wins.
function Score({ p, owners }: { p: Position; owners: string[] }) {
  const [x, o] = ["x", "o"].map((mark) => owners.filter((w) => w === mark).length);
  const [first, second] = [side(p.info, "first"), side(p.info, "second")];
  return <p class="scoreline" aria-label={say("boards", { first, x: x!, second, o: o! })}><span class="mark-x"><b>{x}</b> {first}</span><span class="mark-o"><b>{o}</b> {second}</span><span class="muted">{say("boards won of nine")}</span></p>;
}

export function BoardOf({ p, last, legal, lost, still, ...rest }: Props) {
  const signs = marks(p.state.position);
  const open = openBoards(p);
  const owners = open ? boardOwners(p.state.position, p.info.squares ?? [], signs) : undefined;
  return (
    <>
      {owners && !still && p.info.turns?.nine?.most && <Score p={p} owners={owners} />}
      <Board info={p.info} marks={signs} legal={new Set(legal.keys())} last={last >= 0 ? [last] : []} won={still ? [] : p.owned} lost={lost || completedToLose(p)} still={still} open={open} owners={owners} {...rest} />
    </>
  );
}
