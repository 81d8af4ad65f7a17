// A chart by keyboard: Tab comes to it, arrows go from mark to mark, Enter opens a mark's items.
import { $, all, make } from "./dom";
import { hideTip, hrefOf, showTip } from "./point";

const SAME_ROW = 4;
let ring: HTMLElement | null = null;
let at: SVGElement | null = null;

/** The marks of a drawing in reading order, row by row; those that open items, or where there are none all that say something. */
function marksOf(svg: Element): SVGElement[] {
  const linked = all<SVGElement>(".to", svg), found = linked.length ? linked : all<SVGElement>("title", svg).map((title) => title.parentElement as unknown as SVGElement);
  const places = new Map(found.map((mark) => [mark, middle(mark)]));
  return found.sort((a, b) => { const [p, q] = [places.get(a)!, places.get(b)!]; return Math.abs(p.y - q.y) > SAME_ROW ? p.y - q.y : p.x - q.x; });
}

function middle(mark: Element): { x: number; y: number } {
  const box = mark.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The mark of the next row up or down that is nearest to this one. */
function across(marks: SVGElement[], from: SVGElement, way: number): SVGElement | undefined {
  const here = middle(from), rows = marks.map((mark) => ({ mark, ...middle(mark) })).filter(({ y }) => way * (y - here.y) > SAME_ROW);
  const next = Math.min(...rows.map(({ y }) => way * y));
  return rows.filter(({ y }) => way * y <= next + SAME_ROW).sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.mark;
}

function leave(): void {
  ring?.remove();
  ring = at = null;
  hideTip();
}

function show(mark: SVGElement): void {
  leave();
  at = mark;
  mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  const box = mark.getBoundingClientRect();
  ring = make("div", { className: "ring" });
  Object.assign(ring.style, { left: `${box.left + scrollX - 5}px`, top: `${box.top + scrollY - 5}px`, width: `${box.width + 10}px`, height: `${box.height + 10}px` });
  document.body.append(ring);
  showTip(mark);
  $("said").textContent = mark.querySelector("title")?.textContent ?? "";
}

function open(mark: SVGElement): void {
  if (!hrefOf(mark)) return;
  leave();
  mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  $("count")?.focus({ preventScroll: true });
}

/** Lets a drawing be come to by Tab; one without marks is passed over. */
export function reachable(figure: Element): void {
  for (const svg of all<SVGElement>(".drawing svg", figure)) if (svg.querySelector("title")) svg.setAttribute("tabindex", "0");
}

export function startKeys(): void {
  document.addEventListener("focusout", (event) => { if ((event.target as Element).matches("figure svg")) leave(); });
  document.addEventListener("keydown", (event) => {
    const svg = event.target instanceof Element ? event.target.closest("figure .drawing svg") : null;
    if (!svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const marks = marksOf(svg), place = at ? marks.indexOf(at) : -1;
    if (event.key === "Escape" && at) return leave();
    if ((event.key === "Enter" || event.key === " ") && at) { event.preventDefault(); return open(at); }
    const steps: Record<string, () => SVGElement | undefined> = {
      ArrowRight: () => marks[place + 1], ArrowLeft: () => marks[place < 0 ? 0 : place - 1], Home: () => marks[0], End: () => marks[marks.length - 1],
      ArrowDown: () => (place < 0 ? marks[0] : across(marks, marks[place], 1)), ArrowUp: () => (place < 0 ? marks[0] : across(marks, marks[place], -1)),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = step();
    if (next) show(next);
  });
}
