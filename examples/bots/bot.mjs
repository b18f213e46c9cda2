// A bot in JavaScript: it accepts every challenge and plays the middle one of the legal moves.
const headers = { Authorization: "Bearer " + process.env.OXO_TOKEN, "Content-Type": "application/json" };
const ask = (path, body) => fetch(process.env.OXO_URL + "/api/v1" + path,
  { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body) });
async function* lines(path) {
  let rest = "";
  for await (const part of (await ask(path)).body.pipeThrough(new TextDecoderStream())) {
    const all = (rest + part).split("\n");
    rest = all.pop();
    for (const line of all) if (line) yield JSON.parse(line); // an empty line says: still here
  }
}
async function play(id, seat) {
  for await (const { legal, turn, ply } of lines(`/sessions/${id}/stream`))
    if (legal.length && turn === seat) await ask(`/sessions/${id}/move`, { move: legal[legal.length >> 1], ply });
}
for await (const { type, seat, session } of lines("/bots/stream")) {
  if (type === "challenge" && session.maker !== seat) await ask(`/sessions/${session.id}/accept`, {});
  if (type === "game_start") play(session.id, seat);
}
