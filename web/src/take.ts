// Every figure as a file: SVG, PNG, a slide, Vega-Lite, CSV, Markdown and LaTeX, with title, key, n and source in it.
import { all, make, root, save } from "./dom";
import { current, fileOf } from "./figures";
import { about } from "./judges";
import { change, state } from "./state";

const FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', sans-serif";
const escape = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const colour = (name: string): string => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

let pen: CanvasRenderingContext2D | null = null;

/** A text in lines no wider than so many pixels. */
function wrap(text: string, size: number, weight: number, width: number): string[] {
  pen ??= document.createElement("canvas").getContext("2d")!;
  pen.font = `${weight} ${size}px ${FONT}`;
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (!lines.length || pen.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function written(lines: string[], x: number, top: number, size: number, weight: number, ink: string): string {
  const spans = lines.map((line, at) => `<text x="${x}" y="${top + size * (0.9 + 1.35 * at)}" font-size="${size}" font-weight="${weight}" fill="${ink}">${escape(line)}</text>`);
  return spans.join("");
}

/** The drawing alone, with colours that hold outside the page and without its links. */
function bare(figure: Element): { width: number; height: number; body: string } {
  const copy = figure.querySelector(".drawing svg")!.cloneNode(true) as SVGElement, [, , width, height] = copy.getAttribute("viewBox")!.split(" ").map(Number);
  for (const group of all<SVGElement>(".to", copy)) group.removeAttribute("data-to");
  for (const name of ["style", "role", "aria-label", "class"]) copy.removeAttribute(name);
  const body = new XMLSerializer().serializeToString(copy).replace(/var\(--([a-z-]+)\)/g, (_, name: string) => colour(name));
  return { width, height, body };
}

const place = (body: string, x: number, y: number, width: number, height: number): string => body.replace(/<svg\b/, `<svg x="${x}" y="${y}" width="${width}" height="${height}"`);

/** The figure as one SVG: title above, drawing, note and source below; on a slide it fills 16:9. */
export function pictureOf(figure: Element, title: string, note: string, slide: boolean): { svg: string; width: number; height: number } {
  const drawn = bare(figure), pad = slide ? 56 : 20, width = slide ? 1600 : Math.max(drawn.width, 420) + 2 * pad;
  const sizes = slide ? [44, 22, 18] : [17, 12, 10.5], room = width - 2 * pad;
  const head = wrap(title, sizes[0], 700, room), small = wrap(note, sizes[1], 400, room), source = wrap(about.source, sizes[2], 400, room);
  const tall = (lines: string[], size: number): number => lines.length * size * 1.35;
  const top = pad + tall(head, sizes[0]) + sizes[0] * 0.4, below = tall(small, sizes[1]) + tall(source, sizes[2]) + sizes[1];
  const height = slide ? 900 : top + drawn.height + below + pad;
  const scale = slide ? Math.min(room / drawn.width, (height - top - below - pad) / drawn.height) : 1;
  const left = slide ? pad + (room - drawn.width * scale) / 2 : pad, foot = height - pad - tall(source, sizes[2]) - tall(small, sizes[1]);
  const parts = [
    `<rect width="${width}" height="${height}" fill="${colour("paper")}"/>`, written(head, pad, pad, sizes[0], 700, colour("ink")),
    place(drawn.body, left, top, drawn.width * scale, drawn.height * scale),
    written(small, pad, foot, sizes[1], 400, colour("quiet")), written(source, pad, foot + tall(small, sizes[1]), sizes[2], 400, colour("quiet")),
  ];
  return { svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT.replaceAll('"', "'")}">${parts.join("")}</svg>`, width, height };
}

async function png(made: { svg: string; width: number; height: number }, scale: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(made.svg)}`;
  await image.decode();
  const canvas = make("canvas", { width: Math.round(made.width * scale), height: Math.round(made.height * scale) });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large for this browser"))), "image/png"));
}

/** Rows of the drawing as they stand: what the reader filtered is what the file says. */
function csvOf(id: string): string {
  const keys = ["row", "series", "judge", "value", "low", "high", "n"], rows = current.get(id)!.rows.filter((row) => row.href !== undefined);
  const cell = (value: unknown): string => { const text = value === null || value === undefined ? "" : String(value).replace(/^n=/, "").replaceAll(/(\d),(?=\d{3})/g, "$1").replace(/^(?=[=+@\t\r]|-(?![\d.]+$))/, "'"); return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; };
  return [keys.join(","), ...rows.map((row) => keys.map((key) => cell(row[key])).join(","))].join("\n") + "\n";
}

async function take(figure: HTMLElement, kind: string): Promise<void> {
  const file = await fileOf(figure.id), drawn = current.get(figure.id), name = `${about.slug}-${figure.id}`;
  const note = [drawn?.note, drawn?.numbers ? "" : file.note].filter(Boolean).join(" ");
  if (kind === "csv") return save(`${name}.csv`, drawn?.numbers ? csvOf(figure.id) : file.csv, "text/csv");
  if (kind === "json") return save(`${name}.vl.json`, JSON.stringify({ ...drawn?.spec, title: file.title }, null, 1), "application/json");
  const all = drawn?.numbers ? "of all items, not of those chosen on the page" : "";
  if (kind === "md") return save(`${name}.md`, `${all && `<!-- ${all} -->\n`}${file.md}`, "text/markdown");
  if (kind === "tex") return save(`${name}.tex`, `${all && `% ${all}\n`}${file.tex}`, "application/x-tex");
  const slide = kind.startsWith("slide"), made = pictureOf(figure, file.title, note, slide), end = slide ? "-slide" : "";
  if (kind.endsWith("svg")) save(`${name}${end}.svg`, made.svg, "image/svg+xml");
  else save(`${name}${end}.png`, await png(made, slide ? 1.2 : 3));
}

const FILES: [string, string][] = [["svg", "SVG"], ["png", "PNG"], ["slide-png", "Slide 16:9, PNG"], ["slide-svg", "Slide 16:9, SVG"], ["json", "Chart, Vega-Lite"], ["csv", "Numbers, CSV"], ["md", "Table, Markdown"], ["tex", "Table, LaTeX"]];
const ORDERS: [string, string][] = [["", "as given"], ["value", "by value"], ["name", "by name"], ["difference", "by difference to the reference"]];

/** Fills the menu of a figure when it is first opened. */
export function fillMenu(menu: HTMLDetailsElement): void {
  const figure = menu.closest<HTMLElement>("figure")!, panel = menu.querySelector<HTMLElement>(".panel")!;
  const buttons = FILES.map(([kind, label]) => { const found = make("button", { type: "button", value: kind }, label); found.onclick = () => void take(figure, kind); return found; });
  const rows = Number(menu.dataset.rows ?? 0);
  const order = make("select", {}, ...ORDERS.filter(([by]) => by !== "difference" || about.judges.length > 1).map(([by, label]) => make("option", { value: by, selected: (state.sorts[figure.id] ?? "") === by }, label)));
  order.onchange = () => { const { [figure.id]: _, ...sorts } = state.sorts; change({ sorts: order.value ? { ...sorts, [figure.id]: order.value } : sorts }); };
  panel.replaceChildren(make("span", { className: "title" }, "Export as"), ...buttons, ...(rows > 1 ? [make("label", {}, "Rows ", order)] : []));
}
