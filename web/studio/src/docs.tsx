// The page of the API: its operations with their parameters, and forms that try them. All of it is
// made from the API's own document.
import { useState } from "preact/hooks";
import { aborted, request } from "./api";
import { Contents, Fold, ToTop, usePart } from "./contents";
import { formatRoute } from "./link";
import { Command, Failure } from "./parts";
import { documented, say, show } from "./text";
import { useTitle } from "./title";
import { useAbort, useLatest } from "./use";

interface Schema {
  type?: string | string[]; enum?: unknown[]; examples?: unknown[]; items?: Schema; $ref?: string; description?: string; required?: string[]; properties?: Record<string, Schema>;
  minimum?: number; maximum?: number; minLength?: number; maxLength?: number; minItems?: number; maxItems?: number;
}
interface Parameter { name: string; in: string; required?: boolean; schema?: Schema; description?: string }
interface Operation { operationId: string; summary: string; description?: string; parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
interface Document { info: { description: string }; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const file = "api/v1/openapi.json";
const most = 20_000; // letters of an answer that are shown

const load = async () => {
  const doc = await request<Document>("openapi.json", {});
  const bot = await (await fetch("bot.py")).text();
  const operations = Object.entries(doc.paths).flatMap(([path, of]) => Object.entries(of).map(([method, o]) => sectionOf(doc, method.toUpperCase(), path, o)));
  return { about: documented("about", doc.info.description), bot, operations: operations.sort((a, b) => (a.path + " " + a.method < b.path + " " + b.method ? -1 : 1)) };
};

// Section is an operation as the page shows it; example is the JSON that is sent, files says that
// something else is.
interface Section { method: string; path: string; of: Operation; fields: Parameter[]; example: string; files: boolean }

function sectionOf(doc: Document, method: string, path: string, of: Operation): Section {
  const named = of.requestBody?.content["application/json"]?.schema;
  const body = named?.$ref ? doc.components.schemas[named.$ref.slice(named.$ref.lastIndexOf("/") + 1)] : named;
  const required = body?.required ?? [];
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({ name, in: "body", required: required.includes(name), schema, description: schema.description }));
  for (const f of [...fields, ...(of.parameters ?? [])]) f.description = documented(`${of.operationId}.${f.name}`, f.description);
  fields.sort((a, b) => Number(b.required) - Number(a.required) || (a.name < b.name ? -1 : 1));
  const example = body ? JSON.stringify(Object.fromEntries(required.map((name) => [name, exampleOf(body.properties?.[name])]))) : "";
  return { method, path, of, fields: [...(of.parameters ?? []), ...fields], example, files: Boolean(of.requestBody) && !body };
}

// types and places are what the API's document calls the types of values, and where they stand in a request.
const types: Record<string, string> = { object: say("an object"), string: say("a string"), integer: say("an integer"), number: say("a number"), boolean: say("a boolean") };
const places: Record<string, string> = { path: say("in the path"), query: say("in the query"), header: say("in a header"), cookie: say("in a cookie"), body: say("in the body") };

const typeOf = (s?: Schema): string => [s?.type ?? "object"].flat()[0]!;

// exampleOf is a value that a schema allows as far as it says what.
function exampleOf(s?: Schema): unknown {
  const usual: Record<string, unknown> = { array: [], boolean: false, string: "", integer: s?.minimum ?? 0, number: s?.minimum ?? 0 };
  return s?.examples?.[0] ?? s?.enum?.[0] ?? usual[typeOf(s)] ?? {};
}

// limits says the least and the most that something may be, where there are such.
const limits = (low?: number, high?: number): string =>
  low === undefined ? (high === undefined ? "" : say("up to high", { high: String(high) })) :
  high === undefined ? say("from low", { low: String(low) }) : say("low to high", { low: String(low), high: String(high) });

// kindOf says what a value is: its type, what it can be where that is a few words, and its limits.
function kindOf(s?: Schema): string {
  const name = typeOf(s), type = types[name] ?? name;
  if (s?.enum) return s.enum.map((v) => JSON.stringify(v)).join(" | ");
  if (name === "array") return say("list of kind", { kind: kindOf(s!.items), size: limits(s!.minItems, s!.maxItems) });
  if (name === "string") return say("text of size", { type, size: limits(s!.minLength, s!.maxLength) });
  return say("number of size", { type, size: limits(s?.minimum, s?.maximum) });
}

const idOf = (s: Section): string => s.of.operationId;

// few is how many operations below one word of the API have no part of their own.
const few = 3;

// partsOf groups operations by the word that their paths begin with; those of words with few operations come
// first, together.
function partsOf(operations: Section[]): { id: string; name: string; operations: Section[] }[] {
  const word = (s: Section): string => s.path.split("/")[3] ?? "";
  const below = (w: string): Section[] => operations.filter((s) => word(s) === w);
  const words = [...new Set(operations.map(word))];
  const rest = operations.filter((s) => below(word(s)).length <= few);
  return [{ id: "part-rest", name: say("games positions and players"), operations: rest },
    ...words.filter((w) => below(w).length > few).map((w) => ({ id: "part-" + w, name: "/" + w, operations: below(w) }))];
}

export function Docs({ query }: { query: Record<string, string> }) {
  const { data, error, again } = useLatest("docs", load);
  usePart(query.operation ?? query.part, data !== null);
  const parts = data ? partsOf(data.operations) : [];
  const operation = data?.operations.find((s) => idOf(s) === query.operation);
  useTitle("subject", operation ? documented(idOf(operation), operation.of.summary) : "");
  return (
    <div class="page docs">
      <h1>{say("the api")}</h1>
      <Failure text={error} again={again} />
      {query.operation && data && !operation && <Failure text={say("there is no operation", { operation: query.operation })} />}
      {!data && !error && <div class="waiting tall" />}
      {data && (
        <>
          <p class="lead">{data.about} {show("file has every field", { file: <a href={file}>{file}</a> })}</p>
          <Contents page="docs" query={{}} parts={[{ id: "bot", name: say("a bot in python") }, ...parts]} />
          <Fold id="bot" title={say("a bot in python")}>
            <p>{show("what the bot is told", { code: <Command>curl -X POST $OXO_URL/api/v1/bots -H 'Content-Type: application/json' -d '&#123;"name":"mine"&#125;'</Command> })}</p>
            <pre tabIndex={0} role="region" aria-label={say("a bot in python")}>{data.bot}</pre>
          </Fold>
          {parts.map((part) => (
            <Fold key={part.id} id={part.id} title={part.name} about={say("n operations", { n: part.operations.length })}>
              {part.operations.map((s) => <Shown section={s} key={idOf(s)} />)}
            </Fold>
          ))}
          <ToTop />
        </>
      )}
    </div>
  );
}

function Shown({ section: s }: { section: Section }) {
  return (
    <Fold id={idOf(s)} fold="always" level="h3" title={<code>{s.method} {s.path}</code>} about={documented(idOf(s), s.of.summary)}>
      <p>{documented(idOf(s) + ".more", s.of.description)} <a class="noprint" href={formatRoute({ page: "docs", query: { operation: idOf(s) } })}>{say("link to it")}</a></p>
      {s.fields.length > 0 && (
        <div class="tablewide" tabIndex={0} role="region" aria-label={say("parameters of id", { id: idOf(s) })}>
          <table>
            <tbody>{s.fields.map((f) => <tr key={f.in + f.name}><th scope="row"><code>{f.name}</code></th><td>{say("in and kind", { in: places[f.in] ?? f.in, required: f.required, kind: kindOf(f.schema) })}</td><td>{f.description}</td></tr>)}</tbody>
          </table>
        </div>
      )}
      {s.method !== "DELETE" && !s.files && <Try section={s} />}
    </Fold>
  );
}

// Try is a form that sends what its fields say, and shows the answer as it comes. Nothing is deleted
// there, no file is sent, and cookies are the browser's.
function Try({ section: { method, path, fields, example } }: { section: Section }) {
  const [answer, setAnswer] = useState("");
  const { start, stop } = useAbort();
  const typed = fields.filter((f) => f.in !== "body" && f.in !== "cookie");
  const send = async (form: FormData, signal: AbortSignal) => {
    const query = new URLSearchParams();
    const headers = new Headers(example ? { "Content-Type": "application/json" } : {});
    let to = path;
    for (const f of typed) {
      const value = String(form.get(f.name));
      if (!value) continue;
      if (f.in === "path") to = to.replace(`{${f.name}}`, encodeURIComponent(value));
      else if (f.in === "query") query.append(f.name, value);
      else headers.set(f.name, value);
    }
    const address = to + (query.size ? `?${query}` : "");
    setAnswer(`${method} ${address}`); // its box is there at once: nothing moves when the answer comes
    const response = await fetch(address.slice(1), { method, headers, body: example ? String(form.get("{}")) : undefined, signal });
    const kind = response.headers.get("Content-Type") ?? "";
    let told = `${method} ${address}\n${response.status} ${kind}\n\n`;
    setAnswer(told);
    if (/[/+]json/.test(kind)) return setAnswer(told + JSON.stringify(await response.json(), null, 1).slice(0, most));
    if (!response.body || !/text|svg|ndjson/.test(kind)) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      setAnswer((told += part.value).slice(0, most));
      if (told.length > most) stop();
    }
  };
  return (
    <details class="noprint">
      <summary>{say("try it")}</summary>
      <form onSubmit={(e) => { e.preventDefault(); send(new FormData(e.currentTarget), start()).catch((e) => aborted(e) || setAnswer(say("the server does not answer", { again: false }))); }}>
        {typed.map((f) => <label class="field" key={f.name}>{f.name} <input name={f.name} required={f.required} /></label>)}
        {example && <label class="field">{say("the body")} <textarea class="code" name="{}" rows={4} spellcheck={false} defaultValue={example} /></label>}
        <button type="submit" class="primary">{say("send")}</button>
        {answer && <pre class="answer" tabIndex={0} role="status" aria-label={say("the answer")}>{answer}</pre>}
      </form>
    </details>
  );
}
