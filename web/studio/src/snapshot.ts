// Pictures of what a page has drawn: of a canvas as PNG, of an SVG as both.
import { escaped, file, part } from "./pen";

// save has the browser keep a file.
export function save(name: string, data: Blob): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(data);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

// csv writes rows as comma-separated values.
export function csv(rows: (string | number | boolean)[][]): string {
  const cell = (v: string | number | boolean) => (/[",\n]/.test(`${v}`) ? `"${`${v}`.replaceAll('"', '""')}"` : `${v}`);
  return rows.map((row) => row.map(cell).join(",") + "\n").join("");
}

// worn are the properties that an SVG has from the style sheet, which its file has not.
const worn = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order", "vector-effect"];

// standalone is an SVG of the page as the text of a file, its colours written into it; cropped to what is drawn, where
// a tree has room to grow.
export function standalone(svg: SVGSVGElement, cropped = false): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((e, i) => {
    const style = getComputedStyle(from[i]!);
    for (const name of worn) e.setAttribute(name, style.getPropertyValue(name));
    e.removeAttribute("class");
    e.removeAttribute("style");
  });
  const { x, y, width, height } = svg.hasAttribute("viewBox") ? svg.viewBox.baseVal : new DOMRect(0, 0, svg.getBoundingClientRect().width, svg.getBoundingClientRect().height);
  const drawn = svg.getBBox(), margin = 8;
  const box = cropped ? [drawn.x - margin, drawn.y - margin, drawn.width + 2 * margin, drawn.height + 2 * margin] : [x, y, width, height];
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box[2]));
  copy.setAttribute("height", String(box[3]));
  return new XMLSerializer().serializeToString(copy);
}

// linesOf are the lines into which a text is broken on the page, each with its place.
function linesOf(text: Node): [string, DOMRect][] {
  const lines: [string, DOMRect][] = [];
  const range = document.createRange();
  let from = -1;
  for (const { index, 0: sign } of (text.textContent ?? "").matchAll(/\S/gu)) {
    range.setStart(text, index);
    range.setEnd(text, index + sign.length);
    const last = lines.at(-1), below = !last || range.getBoundingClientRect().top >= last[1].bottom;
    if (below) from = index;
    else range.setStart(text, from);
    lines[lines.length - (below ? 0 : 1)] = [range.toString().replace(/\s+/g, " "), range.getBoundingClientRect()];
  }
  return lines;
}

// pictured is what a part of the page shows as the text of an SVG file: its boxes with their grounds and borders, its
// drawings, and its words, each where it stands.
export function pictured(of: HTMLElement): string {
  const whole = of.getBoundingClientRect();
  const parts: string[] = [];
  const place = (r: DOMRect) => ({ x: r.x - whole.x, y: r.y - whole.y, width: r.width, height: r.height });
  const clear = (colour: string): boolean => /^rgba\(.*, 0\)$|transparent|\/ 0\)$/.test(colour);
  const visit = (e: Element): void => {
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    if (style.display === "none" || style.visibility === "hidden" || box.width === 0 || e.matches("dialog, .aimbar, .turners, .plate")) return;
    if (e instanceof SVGSVGElement) {
      const copy = new DOMParser().parseFromString(standalone(e), "image/svg+xml").documentElement;
      for (const [name, value] of Object.entries(place(box))) copy.setAttribute(name, String(value));
      if (e.getAttribute("preserveAspectRatio")) copy.setAttribute("preserveAspectRatio", "none");
      parts.push(new XMLSerializer().serializeToString(copy));
      return;
    }
    const named = e.matches("[data-name]") && getComputedStyle(e, "::before"); // a square's name, which no text of the page is
    const edge = parseFloat(style.borderTopWidth) || 0;
    const lined = edge > 0 && style.borderTopStyle !== "none" && !clear(style.borderTopColor);
    // Of a shaded ground the last shade stands for all.
    const filled = clear(style.backgroundColor) ? /.*(rgba?\([^)]*\))/.exec(style.backgroundImage)?.[1] ?? "none" : style.backgroundColor;
    const round = style.borderTopLeftRadius.endsWith("%") ? box.width / 2 : Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.width / 2);
    if (filled !== "none" || lined) {
      const inner = new DOMRect(box.x + edge / 2, box.y + edge / 2, box.width - edge, box.height - edge);
      parts.push(part("rect", { ...place(inner), rx: round, fill: filled, ...(lined ? { stroke: style.borderTopColor, "stroke-width": edge } : {}) }));
    }
    // Frames within a box, the innermost first.
    for (const [, colour, deep] of [...style.boxShadow.matchAll(/(\w+\([^)]*\)) 0px 0px 0px ([\d.]+)px inset/g)].reverse()) {
      const wide = Number(deep), { x, y, width, height } = place(box);
      parts.push(part("rect", { x: x + wide / 2, y: y + wide / 2, width: width - wide, height: height - wide, rx: Math.max(0, round - wide / 2), fill: "none", stroke: colour!, "stroke-width": wide }));
    }
    if (named && named.content !== "none" && named.display !== "none") {
      const { x, y } = place(box);
      const at = { x: x + parseFloat(named.left) + parseFloat(named.width) / 2, y: y + parseFloat(named.top) + parseFloat(named.height) / 2 };
      parts.push(part("text", { ...at, "text-anchor": "middle", "dominant-baseline": "central", fill: named.color, "font-size": named.fontSize }, escaped((e as HTMLElement).dataset.name!)));
    }
    for (const child of e.childNodes) {
      if (child instanceof Element) visit(child);
      else for (const [words, at] of linesOf(child)) {
        const { x, y, width, height } = place(at);
        parts.push(part("text", { x: x + width / 2, y: y + height / 2, "text-anchor": "middle", "dominant-baseline": "central", fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight }, escaped(words)));
      }
    }
  };
  visit(of);
  const [width, height] = [Math.ceil(whole.width), Math.ceil(whole.height)];
  return file(width, height, parts.join(""));
}

// onWhite takes a picture as the page looks in light colours, for paper and slides.
export function onWhite<T>(take: () => T): T {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = "light";
  try {
    return take();
  } finally {
    if (theme) dataset.theme = theme;
    else delete dataset.theme;
  }
}

const white = "#ffffff", ink = "#1d2129";

// captioned is a picture on white, the text of an SVG file, with words below it.
export function captioned(svg: string, words: string): string {
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [wide, high] = ["width", "height"].map((name) => Number(picture.getAttribute(name))) as [number, number];
  const margin = 16, width = Math.max(wide + 2 * margin, 560), row = 17, size = 12;
  const g = document.createElement("canvas").getContext("2d")!;
  g.font = "12px system-ui, sans-serif";
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (g.measureText(longer).width <= width - 2 * margin) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const height = high + lines.length * row + 2 * margin;
  picture.setAttribute("x", String((width - wide) / 2));
  return file(width, height, part("rect", { width, height, fill: white }) + new XMLSerializer().serializeToString(picture)
    + lines.map((line, i) => part("text", { x: margin, y: high + margin + size + i * row, fill: ink }, escaped(line))).join(""));
}

// most is how many pixels a side of a PNG has: browsers refuse more; usual is how wide one is at least where it can be.
const most = 8000, usual = 2400;

// painted draws the text of an SVG file as a PNG on white.
export async function painted(text: string): Promise<Blob | null> {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(text);
  await image.decode();
  return onGround(image, white, Math.min(Math.max(2, usual / image.width), most / image.width, most / image.height));
}

// onGround is a picture as a PNG, on a ground of that colour.
export function onGround(picture: HTMLCanvasElement | HTMLImageElement, ground: string, scale = 1): Promise<Blob | null> {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [picture.width * scale, picture.height * scale];
  const c = copy.getContext("2d")!;
  c.fillStyle = ground;
  c.fillRect(0, 0, copy.width, copy.height);
  c.drawImage(picture, 0, 0, copy.width, copy.height);
  return new Promise((done) => copy.toBlob(done));
}
