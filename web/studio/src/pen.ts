// A drawing as SVG: what charts draw on a canvas, as the text of a picture's parts.

// Drawing is what of a canvas charts draw with.
export type Drawing = Pick<CanvasRenderingContext2D, "font" | "fillStyle" | "strokeStyle" | "lineWidth" | "lineJoin" | "globalAlpha" | "textAlign" | "textBaseline" | "clearRect" | "beginPath" | "moveTo" | "lineTo" | "arc" | "rect" | "closePath" | "stroke" | "fill" | "fillText" | "setLineDash" | "save" | "restore" | "clip">;

const round = (v: number): number => Math.round(v * 100) / 100;

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// part is an element of an SVG file.
export const part = (name: string, of: Record<string, string | number>, inside = ""): string =>
  `<${name}${Object.entries(of).map(([key, value]) => ` ${key}="${escaped(String(value))}"`).join("")}>${inside}</${name}>`;

// file is an SVG file of that size.
export const file = (width: number, height: number, inside: string): string =>
  part("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: [0, 0, width, height].join(" "), "font-family": "system-ui", "font-size": 12 }, inside) + "\n";

// Pen draws as a canvas does. A clip is not kept: what is drawn lies within it but for a few pixels.
export class Pen implements Drawing {
  font = "";
  fillStyle: string | CanvasGradient | CanvasPattern = "";
  strokeStyle: string | CanvasGradient | CanvasPattern = "";
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  globalAlpha = 1;
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  parts: string[] = [];
  private path = "";
  private dashes: number[] = [];

  clearRect(): void { this.parts = []; }
  beginPath(): void { this.path = ""; }
  moveTo(x: number, y: number): void { this.path += `M${round(x)} ${round(y)}`; }
  lineTo(x: number, y: number): void { this.path += `L${round(x)} ${round(y)}`; }
  closePath(): void { this.path += "z"; }
  rect(x: number, y: number, w: number, h: number): void { this.path += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`; }
  arc(x: number, y: number, r: number): void { this.path += `M${round(x + r)} ${round(y)}a${r} ${r} 0 1 0 ${-2 * r} 0a${r} ${r} 0 1 0 ${2 * r} 0z`; }
  setLineDash(dashes: Iterable<number>): void { this.dashes = [...dashes]; }
  save(): void { /* what charts set they set again */ }
  restore(): void { /* and so nothing is kept */ }
  clip(): void { this.path = ""; }
  stroke(): void {
    const dashes: Record<string, string> = this.dashes.length > 0 ? { "stroke-dasharray": this.dashes.join(" ") } : {};
    this.parts.push(part("path", { d: this.path, fill: "none", stroke: `${this.strokeStyle}`, "stroke-width": this.lineWidth, "stroke-linejoin": this.lineJoin, ...dashes }));
  }
  fill(): void { if (this.path) this.parts.push(part("path", { d: this.path, fill: `${this.fillStyle}`, opacity: this.globalAlpha })); }
  fillText(text: string, x: number, y: number): void {
    const anchor = { right: "end", center: "middle" }[this.textAlign as string] ?? "start";
    const down = { middle: 4, top: 10 }[this.textBaseline as string] ?? 0;
    this.parts.push(part("text", { x: round(x), y: round(y + down), "text-anchor": anchor, fill: `${this.fillStyle}` }, escaped(text)));
  }
}
