// Figures: drawn from the specification Python wrote when they come near, and again with the judges, order and items the reader chose.
import { $, all, count, make, root, unpack } from "./dom";
import { maskOf, openSets, type ItemSet } from "./data";
import type { Estimate } from "./estimate";
import { isComputable, recompute, type Score } from "./score";
import { about, hiddenJudges, judgeColour, judgeOrder, shownName } from "./judges";
import { reachable } from "./keys";
import { inline } from "./look";
import { filters, narrowed, state } from "./state";

type Row = Record<string, unknown>;
export interface Figures { row: string; series: string; judge: string; value: number | null; n: number; low: number | null; high: number | null; items: string; score?: number }
export interface FigureFile {
  id: string; title: string; finding: string; note: string; kind: string; domain: [number, number]; order: string[];
  wide: Spec; narrow: Spec; datasets: Record<string, Row[]>; phone?: Record<string, Row[]>; scores: Score[]; numbers: Figures[]; csv: string; tex: string; md: string;
}
type Spec = Record<string, unknown>;
interface Drawn { rows: Row[]; spec?: Spec; svg: string; note: string; numbers: (Estimate | null)[] | null; dim: boolean }

const files = new Map<string, FigureFile>();
const shown = new Map<string, string>();
const originals = new WeakMap<Element, string>();
let opened: Promise<void> | null = null;
let runtime: Promise<void> | null = null;
export const current = new Map<string, Drawn>();

export function openFigures(): Promise<void> {
  opened ??= unpack("figures").then((text) => (JSON.parse(text) as FigureFile[]).forEach((file) => files.set(file.id, file)));
  return opened;
}

export async function fileOf(id: string): Promise<FigureFile> {
  await openFigures();
  return files.get(id)!;
}

function openRuntime(): Promise<void> {
  runtime ??= unpack("runtime").then((code) => { document.head.append(make("script", {}, code)); });
  return runtime;
}

/** Draws a chart. Vega reads the text "if" in an expression as a signal; an invisible character keeps it a text. */
const draw = (spec: Spec): Promise<string> => (globalThis as unknown as { griceDraw: (spec: Spec) => Promise<string> }).griceDraw(JSON.parse(JSON.stringify(spec).replaceAll('"if"', '"if\u200b"')) as Spec);
export const isNarrow = (): boolean => matchMedia("(max-width: 44rem)").matches && !matchMedia("print").matches;

/** Whether the filter of the items reaches a figure. */
const linked = (id: string): boolean => narrowed() && state.charts !== "all" && state.from !== id && Boolean($("packed"));

/** The rows of a drawing: on a phone, names of dots stand elsewhere. */
const rowsOf = (file: FigureFile): Record<string, Row[]> => (isNarrow() && file.phone) || file.datasets;

/** What the reader chose of a figure; empty when it is as Python specified it. */
function signature(id: string): string {
  const chosen = { hide: hiddenJudges(), ref: state.ref, names: state.names, colours: state.colours, sort: state.sorts[id] ?? "" };
  const filter = linked(id) ? [filters(), state.data, state.judge, state.reading] : 0;
  const plain = !filter && Object.values(chosen).every((value) => (typeof value === "string" ? !value : !Object.keys(value).length));
  return plain ? "" : JSON.stringify([chosen, filter]);
}

function sortedRows(file: FigureFile, rows: Row[]): string[] {
  const by = state.sorts[file.id] ?? "", order = [...file.order];
  if (by === "name") return order.sort((a, b) => a.localeCompare(b));
  if (by !== "value" && by !== "difference") return order;
  const judges = judgeOrder(), reference = shownName(judges[0]);
  const value = (row: string, own: boolean): number => {
    const found = rows.filter((one) => one.row === row && one.href !== undefined && (one.judge === reference) === own).map((one) => one.value as number);
    return found.length ? found.reduce((a, b) => a + b, 0) / found.length : NaN;
  };
  const first = rows.find((one) => one.href !== undefined)?.series;
  const plain = (row: string): number => (rows.find((one) => one.row === row && one.judge === reference && one.series === first)?.value as number | undefined) ?? value(row, true);
  const key = (row: string): number => { const found = by === "value" ? plain(row) : value(row, false) - value(row, true); return Number.isNaN(found) ? -Infinity : found; };
  return order.map((row): [string, number] => [row, key(row)]).sort((a, b) => b[1] - a[1]).map(([row]) => row);
}

/** A value of a judge's scale: its colour is the reader's, what is hollow or a shape stays. */
const recolour = (name: string, value: string): string => (typeof value === "string" && value.startsWith("#") && value !== about.palette.paper ? (judgeColour(name) ?? value) : value);

/** The specification with the reader's judges, colours and order in it. */
function adapt(node: unknown, file: FigureFile, order: string[]): unknown {
  if (Array.isArray(node)) return node.map((one) => adapt(one, file, order));
  if (!node || typeof node !== "object") return node;
  const found = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, adapt(value, file, order)])) as Spec;
  const isJudges = (names: unknown): names is string[] => Array.isArray(names) && names.length > 0 && names.every((name) => about.judges.some((judge) => judge.name === name));
  const visible = (names: string[]): string[] => judgeOrder().filter((name) => names.includes(name));
  const scale = found.scale as { domain?: unknown; range?: string[] } | undefined;
  if (scale && isJudges(scale.domain)) {
    const old = scale.domain, kept = visible(old), { range } = scale;
    found.scale = { ...scale, domain: kept.map(shownName), ...(Array.isArray(range) ? { range: kept.map((name) => recolour(name, range[old.indexOf(name)])) } : {}) };
  }
  if (isJudges(found.sort)) found.sort = visible(found.sort).map(shownName);
  else if (found.field === "row" && Array.isArray(found.sort)) found.sort = order.filter((row) => (found.sort as string[]).includes(row));
  return found;
}

/** The rows of a chart with hidden judges left out and names as the reader wants them. */
function rename(rows: Row[]): Row[] {
  const hidden = hiddenJudges(), names = about.judges.map((judge) => judge.name);
  return rows.filter((row) => !hidden.includes(row.judge as string) && !hidden.includes(row.series as string)).map((row) => {
    const judge = row.judge as string | undefined, series = row.series as string | undefined;
    const text = judge && state.names[judge] ? String(row.text ?? "").split(judge).join(shownName(judge)) : row.text;
    return { ...row, ...(judge ? { judge: shownName(judge) } : {}), ...(series && names.includes(series) ? { series: shownName(series) } : {}), ...(text === undefined ? {} : { text }) };
  });
}

const key = (row: Row | Figures): string => JSON.stringify([row.row, row.series, row.judge]);
// Ties go to the even digit, as in Python: 0.125 is 0.12 there and here.
const even = (value: number): number => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));
const two = (value: number): string => (Number.isInteger(8 * value) ? even(100 * value) / 100 : value).toFixed(2);

/** A row with another estimate: its place, its ends and its words. */
function changed(row: Row, found: Estimate, file: FigureFile): Row {
  const ends = found.low === null || found.high === null ? "" : ` (${two(found.low)} to ${two(found.high)})`;
  const [low, high] = file.domain, middle = low < 0 ? (low + high) / 2 : low, points = even(100 * found.value);
  const cell = "points" in row ? { strength: Math.abs(found.value - middle) / (high - middle), above: found.value >= middle, points: low < 0 && points ? `${points > 0 ? "+" : "−"}${Math.abs(points)}` : String(points) } : {};
  return { ...row, value: found.value, low: found.low, high: found.high, n: `n=${count(found.n)}`, text: `${row.row}, ${row.series || row.judge}: ${two(found.value)}${ends}, n=${count(found.n)}, ${count(found.paradigms)} paradigms, of the items chosen`, ...cell };
}

function narrow(file: FigureFile, all: ItemSet[]): { datasets: Record<string, Row[]>; note: string; numbers: (Estimate | null)[] | null } {
  const set = all[state.data];
  if (!set) return { datasets: rowsOf(file), note: "", numbers: null };
  const mask = maskOf(set, state, hiddenJudges());
  const kept = mask.reduce((sum, one) => sum + one, 0), which = `the ${count(kept)} chosen of ${count(set.n)} items`;
  if (!isComputable(file, state.data))
    return { datasets: rowsOf(file), note: `Of all items: these numbers cannot be had from the chosen items alone.`, numbers: null };
  const numbers = file.numbers.map((number) => recompute(file, number, set, mask));
  const byKey = new Map(file.numbers.map((number, at) => [key(number), numbers[at]]));
  const datasets = Object.fromEntries(Object.entries(rowsOf(file)).map(([name, rows]) => [name, rows.flatMap((row) => { const found = row.href !== undefined ? byKey.get(key(row)) : null; return found ? [changed(row, found, file)] : []; })]));
  return { datasets, note: `Of ${which}; marks from elsewhere are left out.`, numbers };
}

async function compute(file: FigureFile): Promise<Drawn> {
  const filter = linked(file.id);
  const { datasets, note, numbers } = filter ? narrow(file, await openSets()) : { datasets: rowsOf(file), note: "", numbers: null };
  const chosen = Object.fromEntries(Object.entries(datasets).map(([name, rows]) => [name, rename(rows)]));
  const rows = Object.values(chosen).flat();
  if (!rows.some((row) => row.judge !== undefined)) return { rows, svg: "", note: filter ? "None of the chosen items are in this figure." : "The judges of this figure are hidden.", numbers, dim: false };
  await openRuntime();
  const spec = { ...(adapt(isNarrow() ? file.narrow : file.wide, file, sortedRows(file, rows)) as Spec), datasets: chosen };
  const svg = await draw(spec);
  return { rows, spec, svg: inline(svg, file.finding), note, numbers, dim: filter && !numbers };
}

/** Puts the drawing into the page, if it is not there already. */
async function refresh(figure: Element): Promise<void> {
  const id = figure.id, chosen = signature(id), wanted = `${chosen}|${isNarrow()}`;
  if (shown.get(id) === wanted) return;
  shown.set(id, wanted);
  const drawn = await compute(await fileOf(id));
  if (shown.get(id) !== wanted) return;
  current.set(id, drawn);
  const box = figure.querySelector(":scope > .drawing")!;
  if (drawn.svg) box.innerHTML = drawn.svg;
  else box.replaceChildren(make("p", { className: "empty" }, drawn.note));
  reachable(figure);
  figure.classList.toggle("dim", drawn.dim);
  figure.classList.toggle("narrowed", Boolean(drawn.numbers));
  figure.querySelector<HTMLElement>(".chosen")!.textContent = drawn.svg ? drawn.note : "";
  cells(figure, drawn.numbers);
  (figure as HTMLElement).dataset.drawn = chosen ? "again" : "first";
}

/** The table below a figure: the same numbers as the chart, or back as Python wrote them. */
function cells(figure: Element, numbers: (Estimate | null)[] | null): void {
  for (const cell of all("td[data-number]", figure)) {
    if (!originals.has(cell)) originals.set(cell, cell.innerHTML);
    if (!numbers) { cell.innerHTML = originals.get(cell)!; continue; }
    const found = numbers[Number(cell.dataset.number)];
    if (!found) { cell.textContent = "–"; continue; }
    const ends = found.low === null || found.high === null ? "" : `${two(found.low)}–${two(found.high)} `;
    cell.replaceChildren(two(found.value), " ", make("small", {}, `${ends}n=${count(found.n)}, ${count(found.paradigms)} paradigms`));
  }
}

const near = new Set<Element>();
const watch = new IntersectionObserver((seen) => {
  for (const one of seen) {
    if (one.isIntersecting) { near.add(one.target); void refresh(one.target); } else near.delete(one.target);
  }
}, { rootMargin: "300px" });

/** Draws again what is on the screen; the rest when it comes near. */
export async function refreshFigures(): Promise<void> {
  await Promise.all([...near].map(refresh));
}

/** Draws the figures of open chapters while the reader does nothing, so that a print has them. */
async function drawIdle(): Promise<void> {
  for (const figure of all("figure[id]")) {
    if (figure.dataset.drawn || figure.closest("details:not([open])")) continue;
    await new Promise((done) => setTimeout(done));
    await refresh(figure);
  }
  root.dataset.drawn = "all";
}

export function watchFigures(): void {
  for (const figure of all("figure[id]")) watch.observe(figure);
  matchMedia("(max-width: 44rem)").addEventListener("change", () => void refreshFigures());
  document.addEventListener("toggle", () => void drawIdle(), true);
  if (document.readyState === "complete") void drawIdle();
  else addEventListener("load", () => void drawIdle());
}
