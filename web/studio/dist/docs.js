// The forms of the API's page: each sends what its fields say, and shows the answer as it comes.
const most = 20000; // letters of an answer that are shown
let stop = new AbortController();

for (const form of document.forms) form.addEventListener("submit", (e) => {
  e.preventDefault();
  stop.abort(); // a stream that still runs
  stop = new AbortController();
  send(form, stop.signal).catch((e) => { if (e.name !== "AbortError") show(form, "Nobody has answered.", true); });
});

async function send(form, signal) {
  const { method, path } = form.dataset;
  const query = new URLSearchParams(), headers = {};
  let to = path;
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (!value) continue;
    if (dataset.in === "path") to = to.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === "query") query.append(name, value);
    else headers[name] = value;
  }
  const body = form.querySelector("textarea")?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const address = to + (query.size ? `?${query}` : "");
  const answer = await fetch(new URL(`../..${address}`, location), { method, headers, body, signal });
  const kind = answer.headers.get("Content-Type") ?? "";
  show(form, `${method} ${address}\n${answer.status} ${kind}\n\n`, true);
  if (/[/+]json/.test(kind)) return show(form, readable(await answer.text()).slice(0, most));
  if (!/text|svg|ndjson/.test(kind)) return;
  let told = 0;
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    show(form, part.slice(0, most - told));
    if ((told += part.length) > most) return stop.abort();
  }
}

// readable has the parts of JSON on lines of their own.
const readable = (text) => JSON.stringify(JSON.parse(text), null, 1);

function show(form, text, fresh = false) {
  const answer = form.querySelector("pre");
  answer.hidden = false;
  answer.textContent = fresh ? text : answer.textContent + text;
}
