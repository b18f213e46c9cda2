// Pictures of what a page has drawn: of a canvas as PNG, of an SVG as both.

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
const worn = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order"];

// standalone is an SVG of the page as the text of a file, its colours written into it.
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((e, i) => {
    const style = getComputedStyle(from[i]!);
    for (const name of worn) e.setAttribute(name, style.getPropertyValue(name));
    e.removeAttribute("class");
    e.removeAttribute("style");
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

// most is how many pixels a side of a PNG has: browsers refuse more.
const most = 8000;

// painted draws the text of an SVG file as a PNG on a ground of that colour.
export async function painted(text: string, ground: string): Promise<Blob | null> {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(text);
  await image.decode();
  return onGround(image, ground, Math.min(2, most / image.width, most / image.height));
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
