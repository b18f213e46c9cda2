// What can be taken of a page: its link, a code of it for a camera, pictures of its
// position, its score sheet, and a frame for pages elsewhere.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";
import { outline, qr } from "./qr";
import { OnlyHere } from "./parts";
import { say } from "./text";

// QR is an address as a code for cameras, where it is not too long for one.
export function QR({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => qr(text), [text]);
  if (!code) return <p class="muted">{say("the link is too")}</p>;
  const size = code.length + 8;
  return (
    <svg class="qr" viewBox={`-4 -4 ${size} ${size}`} role="img" aria-label={label}>
      <rect x="-4" y="-4" width={size} height={size} />
      <path d={outline(code)} />
    </svg>
  );
}

// copied copies a text, and reports whether that was allowed.
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// CopyLink shows a link, copies it, and draws it for cameras unless it is bare: for a browser that was here before.
export function CopyLink({ id, label, address, bare }: { id: string; label: string; address: string; bare?: boolean }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const done = await copied(address);
    if (!done) (document.getElementById(id) as HTMLInputElement | null)?.select();
    setSaid(say(done ? "link copied" : "the link is selected"));
  };
  return (
    <>
      <div class="row nowrap">
        <input id={id} class="grow" aria-label={label} readOnly value={address} onFocus={(e) => e.currentTarget.select()} />
        <button type="button" onClick={copy}>{say("copy")}</button>
      </div>
      <p class="muted" role="status">{said || " "}</p>
      <OnlyHere />
      {!bare && <QR text={address} label={say("the link as a code")} />}
    </>
  );
}

// Copied is a button that copies a text, or shows it where that is forbidden.
export function Copied({ name, text }: { name: string; text: () => string }) {
  const [said, setSaid] = useState("");
  const copy = async () => setSaid(await copied(text()) ? say("copied") : text());
  return (
    <span class="row tight">
      <button type="button" onClick={copy}>{name}</button>
      <span class="muted break" role="status">{said}</span>
    </span>
  );
}

interface DrawnProps { name: string; selector: string; caption: string }

interface ShareProps { query?: Record<string, string>; played?: () => number | undefined; drawn?: DrawnProps; link?: string; puzzle?: string; sheets?: string }

// Share offers what can be taken of the page: of a game, which query says, and of what is
// drawn on the page where a selector says; played is when the game was, where the query says no day. The link is that of the page where there is no other. Of a puzzle there is no score sheet, and
// the frame sets it where it has an id that lasts. The score sheets of a page of many games lie at an address of their own.
export function Share({ query, played, drawn, link, puzzle, sheets }: ShareProps) {
  const [open, setOpen] = useState(false);
  const [plies, setPlies] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => { // at once, so that no key falls between
    if (open) dialog.current?.showModal();
  }, [open]);
  const part = (names: string[], more: Record<string, string> = {}): string => {
    const q = new URLSearchParams();
    for (const name of names) if (query?.[name]) q.set(name, query[name]!);
    if (plies && !names.includes("first")) q.set("plies", "true");
    for (const name in more) q.set(name, more[name]!);
    return q.toString();
  };
  // sheet is the game with what a score sheet that it came from calls it.
  const sheet = (): string => {
    const when = played?.();
    const { firstname, secondname, date = when ? new Date(when).toLocaleDateString("sv") : "" } = query!; // which writes 2026-01-31
    return part(["game", "from", "moves", "first", "second", "resigned"], { ...(firstname ? { first: firstname, second: secondname! } : {}), ...(date ? { date } : {}) });
  };
  const scene = ["game", "from", "moves", "ply"];
  const frame = (): string => `<iframe src="${new URL("embed?" + (puzzle ? "puzzle=" + puzzle : part(scene)), document.baseURI).href}" width="420" height="560" style="max-width:100%" title="${say("a board of oxo")}" loading="lazy"></iframe>`;
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>{say("share")}</button>
      {open && (
        <dialog ref={dialog} class="share" aria-label={say("share")} onClose={() => setOpen(false)} onClick={(e) => { if (e.target === dialog.current) dialog.current?.close(); }}>
          <div class="spread"><h2>{say("share")}</h2><button type="button" class="icon" aria-label={say("close")} onClick={() => dialog.current?.close()}><Icon name="close" /></button></div>
          <div class="shared">
            <QR text={link ?? location.href} label={say("the link as a code")} />
            <div>
              <Copied name={say("copy link")} text={() => link ?? location.href} />
              <OnlyHere />
              {drawn && document.querySelector(drawn.selector) && (
                <>
                  <h3>{query ? say("what each move is worth") : say("picture")}</h3>
                  <Drawn {...drawn} />
                </>
              )}
              {sheets && <><h3>{say("score sheets")}</h3><a class="button" href={sheets} download="games.txt">{say("take it out")}</a></>}
              {query && (
                <>
                  <h3>{say("picture")}</h3>
                  <div class="row">
                    <a class="button" href={"api/v1/picture.svg?" + part(scene)} download="position.svg">{say("svg")}</a>
                    <a class="button" href={"api/v1/picture.png?" + part(scene)} download="position.png">{say("png")}</a>
                    <label class="inline"><input type="checkbox" checked={plies} onChange={(e) => setPlies(e.currentTarget.checked)} /> {say("with numbers")}</label>
                  </div>
                  {puzzle === undefined && <><h3>{say("score sheet")}</h3><a class="button" href={"api/v1/sheet?" + sheet()} download="game.txt">{say("take it out")}</a></>}
                  <h3>{say("in a page elsewhere")}</h3>
                  <Copied name={say("copy the frame")} text={frame} />
                  <p class="muted">{say("the frame shows", { puzzle })}</p>
                </>
              )}
            </div>
          </div>
        </dialog>
      )}
    </>
  );
}

// Drawn saves what the page has drawn, on white with a caption: a canvas as PNG as it is, anything else as either.
function Drawn({ name, selector, caption }: DrawnProps) {
  const [failed, setFailed] = useState(false);
  const take = async (kind: "svg" | "png") => {
    const { captioned, onGround, onWhite, painted, pictured, save, standalone } = await import("./snapshot"); // which few pages need
    const e = document.querySelector<SVGSVGElement | HTMLElement>(selector)!;
    const text = () => captioned(onWhite(() => (e instanceof SVGSVGElement ? standalone(e, true) : pictured(e))), caption);
    const file = e instanceof HTMLCanvasElement ? await onGround(e, getComputedStyle(document.body).backgroundColor)
      : kind === "svg" ? new Blob([text()], { type: "image/svg+xml" }) : await painted(text()).catch(() => null);
    setFailed(!file);
    if (file) save(`${name}.${kind}`, file);
  };
  return (
    <div class="row">
      {!document.querySelector(selector + ":is(canvas)") && <button type="button" onClick={() => take("svg")}>{say("svg")}</button>}
      <button type="button" onClick={() => take("png")}>{say("png")}</button>
      {failed && <span class="fault" role="status">{say("it is too large")}</span>}
    </div>
  );
}
