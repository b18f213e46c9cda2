// The board of a position, with what the games of several boards need.
import type { Position } from "./api";
import { Board, boardOwners, type Note } from "./board";
import { activeBoard, marks } from "./words";

interface Props {
  p: Position;
  last: number;
  label: string;
  view: string;
  legal: Map<number, string[]>;
  busy?: boolean;
  zone?: Set<number>;
  zoneSays?: string;
  notes?: Map<number, Note>;
  onPlay: (i: number) => void;
  onKey?: (key: string) => boolean;
}

export function BoardOf({ p, last, legal, ...rest }: Props) {
  const signs = marks(p.state.position);
  const active = activeBoard(p.info, p.state);
  return (
    <Board info={p.info} marks={signs} legal={new Set(legal.keys())} last={last >= 0 ? [last] : []} won={p.owned}
      active={active} owners={active >= 0 ? boardOwners(p.state.position, p.info.squares ?? [], signs) : undefined} {...rest} />
  );
}
