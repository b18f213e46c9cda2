// How many positions and games a game has, by ply.
import { useState } from "preact/hooks";
import { countGame, type Info } from "./api";
import { capital } from "./catalogue";
import { Command, Failure, Table } from "./parts";
import { Present, useStage } from "./present";
import { say, show } from "./text";
import { useLatest } from "./use";
import { exactly } from "./words";

// Census is a folded card, which has nothing counted before it is opened.
export function Census({ info }: { info: Info }) {
  const [open, setOpen] = useState(false);
  const { data: c, error, again } = useLatest(open ? info.spec : "", () => (open ? countGame(info.spec) : Promise.resolve(null)));
  const stage = useStage<HTMLDivElement>({ step: 0, end: 0, to: () => {}, pace: 0, own: "" });
  const told = (n: number | undefined) => n !== undefined && exactly(n);
  const classes = c?.by_ply.some((p) => p.classes < p.positions);
  const games = c?.by_ply.some((p) => p.games !== undefined);
  return (
    <details class={`card fold ${open ? "" : "noprint"}`} id="census" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary><h2>{say("how many positions")}</h2></summary>
      <Failure text={error} again={again} />
      {open && !c && !error && <p class="muted" role="status">{say("counting")}</p>}
      {c && (
        <div class="census" ref={stage.at} onKeyDown={stage.onKeyDown}>
          <p class="telling" role="status" tabIndex={stage.full ? 0 : undefined}>{c.whole ? say("all counted", { title: capital(info.title), positions: c.positions, classes: told(c.classes), games: told(c.games), nodes: told(c.nodes) })
            : say("counted in part", { title: capital(info.title), positions: c.positions, ply: c.by_ply.length - 1, most: told(c.most_positions), games: told(c.most_games) })}</p>
          {c.by_ply.length > 0 && (
            <Table class="tablebox short dense" role="region" label={say("how many positions")}
              head={<><th scope="col" class="right">{say("ply")}</th><th scope="col" class="right">{say("positions")}</th>{classes && <th scope="col" class="right">{say("up to symmetry")}</th>}{games && <th scope="col" class="right">{say("games that end")}</th>}</>}>
              {c.by_ply.map((p) => <tr key={p.ply}><th scope="row" class="right">{p.ply}</th><td class="right">{exactly(p.positions)}</td>{classes && <td class="right">{exactly(p.classes)}</td>}{games && <td class="right">{told(p.games)}</td>}</tr>)}
              {c.whole && <tr class="chosen"><th scope="row" class="right">{say("in all")}</th><td class="right">{exactly(c.positions)}</td>{classes && <td class="right">{told(c.classes)}</td>}{games && <td class="right">{told(c.games)}</td>}</tr>}
            </Table>
          )}
          <p class="muted">{show("count at home", { code: <Command>oxo count {info.spec}</Command> })}</p>
          <div class="row tools"><Present of={stage} /></div>
        </div>
      )}
    </details>
  );
}
