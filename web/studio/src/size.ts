// Which positions are small enough to ask for their exact worth. The server has
// the last word; asking it in vain would only cost time.
import type { Position } from "./api";
import { marks } from "./words";

export function small(p: Position): boolean {
  const squares = p.info.squares?.length ?? 0;
  if (!p.info.positional) return squares < 81;
  const free = marks(p.state.position).filter((m) => m === ".").length;
  const choices = p.state.moves.some((m) => m.includes("@")) ? 12 : p.info.falls ? 20 : 16;
  return free <= choices;
}
