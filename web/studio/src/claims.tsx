// What is printed, put to the test: each claim of the documents beside what comes out.
import { claims, type Claim, type ClaimColumn, message, reproduce, type Reproduced } from "./api";
import { Contents, Fold, ToTop, usePart } from "./contents";
import { formatRoute } from "./link";
import { Command, Failure, Heading } from "./parts";
import { exactly, figures } from "./words";
import { say, show } from "./text";
import { notFound } from "./title";
import { useLatest } from "./use";

const columns: ["printed" | "published" | "mended" | "measured", string][] = [
  ["printed", say("printed")], ["published", say("as published")], ["mended", say("mended")], ["measured", say("measured honestly")],
];

export function Claims({ query }: { query: Record<string, string> }) {
  const { data, error, again } = useLatest("claims", () => claims(null));
  const items = data?.items ?? [];
  const item = items.find((i) => i.id === query.item);
  usePart(query.part, data !== null && !query.item);
  if (query.item && (item || error || data)) return item ? <Experiment item={item} key={item.id} /> : (
    <div class="page narrow"><h1>{say("printed claims")}</h1><Failure text={error || say("there is no claim item", { item: query.item })} missing={notFound(!error, say("printed claims"))} again={error ? again : undefined} /><p><a href="claims">{say("all claims")}</a></p></div>
  );
  const titleOf = (document: string): string => items.find((i) => i.document === document)!.title;
  const documents = [...new Set(items.map((i) => i.document))];
  return (
    <div class="page claimspage">
      <h1>{say("printed claims")}</h1>
      <p class="lead">{say("what five documents print")}</p>
      <Failure text={error} again={again} />
      {!data && !error && <div class="waiting tall" />}
      {data && <Contents page="claims" query={{}} parts={documents.map((d) => ({ id: d, name: titleOf(d) }))} />}
      {documents.map((d) => (
        <Fold key={d} id={d} title={titleOf(d)} about={say("n claims", { n: items.filter((i) => i.document === d).length })}>
          <ul class="plainlist">
            {items.filter((i) => i.document === d).map((i) => (
              <li key={i.id}>
                <a href={formatRoute({ page: "claims", query: { item: i.id } })}>{i.claim}</a>
                <span class="muted nobreak">{say("section and time", { section: i.section, long: i.long })}</span>
              </li>
            ))}
          </ul>
        </Fold>
      ))}
      <ToTop />
    </div>
  );
}

function Experiment({ item }: { item: Claim }) {
  const asked = useLatest<Reproduced | null>(item.id, async () => (item.long ? null : reproduce(item.id)));
  const r = asked.data;
  const there = columns.flatMap(([key, name]) => (r?.[key] ? [{ name, of: r[key]! }] : []));
  return (
    <div class="page claimspage">
      <p class="muted"><a href={formatRoute({ page: "claims", query: { part: item.document } })}>{say("all claims")}</a></p>
      <Heading text={item.claim} />
      <p class="muted">{item.title}, {item.section}</p>
      <Failure text={asked.error && message(asked.error)} again={asked.again} />
      {item.long && <p>{show("it takes about n", { n: Math.round(item.seconds / 60) || 1, code: <Command>oxo reproduce {item.id} --long</Command> })}</p>}
      {!item.long && !r && !asked.error && <p role="status" class="waiting">{say("put to the test about s", { n: Math.max(1, Math.round(item.seconds)) })}</p>}
      {r && (
        <>
          <div class="sides">{there.map((c) => <Side key={c.name} name={c.name} of={c.of} />)}</div>
          {r.why && <p class="lead">{r.why}</p>}
          <p class="muted break">{item.citation}</p>
        </>
      )}
    </div>
  );
}

function Side({ name, of }: { name: string; of: ClaimColumn }) {
  return (
    <section class="card" aria-label={name}>
      <h2>{name}</h2>
      <table>
        <tbody>
          {of.figures.map((f, i) => (
            <tr key={i}><th scope="row">{f.name}</th><td class="right">{f.text || exactly(f.value)}{f.error ? ` ± ${figures(f.error)}` : ""}</td></tr>
          ))}
        </tbody>
      </table>
      {(of.commands ?? []).map((c) => <p class="muted" key={c}><Command>{c}</Command></p>)}
    </section>
  );
}
