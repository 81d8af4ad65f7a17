// Pointing at a chart: a mark tells its number, a click opens its items, a stretch drawn over marks chooses all of theirs.
import { all, make } from "./dom";
import { asPart } from "./data";
import { change, go, NOTHING } from "./state";

let tip: HTMLElement | null = null;

function told(mark: Element): string {
  return mark.querySelector("title")?.textContent ?? (mark.closest("[data-tip]") as HTMLElement | null)?.dataset.tip ?? "";
}

export function showTip(mark: Element): void {
  const text = told(mark);
  hideTip();
  if (!text) return;
  tip = make("div", { className: "tip", role: "tooltip" }, text);
  document.body.append(tip);
  const at = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - 8));
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${(at.top - own.height - 8 < 0 ? at.bottom + 8 : at.top - own.height - 8) + scrollY}px`;
}

export function hideTip(): void {
  tip?.remove();
  tip = null;
}

const markOf = (target: EventTarget | null): Element | null => (target instanceof Element ? target.closest("figure svg .to, figure svg :is(path, line, rect):has(> title), [data-tip]") : null);

/** The address of a mark's items. */
export const hrefOf = (mark: HTMLElement | SVGElement): string => mark.dataset.to ?? "";

/** The items of several numbers: values of one column where that tells them all, else each number's own. */
export function together(hrefs: string[]): Parameters<typeof change>[0] | null {
  const parts = [...new Set(hrefs)].map(asPart), [first] = parts;
  if (!first) return null;
  const same = parts.filter((part) => part.data === first.data);
  const names = [...new Set(same.flatMap((part) => Object.keys(part.where)))];
  const apart = names.filter((name) => same.some((part) => JSON.stringify(part.where[name]) !== JSON.stringify(first.where[name])));
  const common = { ...NOTHING, data: first.data, judge: first.judge, reading: same.every((part) => part.reading === first.reading) ? first.reading : "", given: same.every((part) => part.given === first.given) ? first.given : "", place: "items" };
  if (apart.length <= 1 && same.every((part) => apart.every((name) => part.where[name])))
    return { ...common, where: { ...first.where, ...Object.fromEntries(apart.map((name) => [name, [...new Set(same.flatMap((part) => part.where[name]))]])) } };
  return { ...common, or: same.map((part) => { const query = new URLSearchParams(); for (const [name, values] of Object.entries(part.where)) values.forEach((value) => query.append(name, value)); if (part.reading) query.append("reading", part.reading); return query.toString(); }) };
}

const FEW = 6;

/** Drawing a stretch over a chart with a mouse or a pen; a finger scrolls the page. */
function brush(event: PointerEvent): void {
  const svg = event.target instanceof Element ? event.target.closest<SVGElement>("figure svg") : null;
  if (!svg || event.button !== 0 || event.pointerType === "touch" || !svg.querySelector(".to")) return;
  const box = make("div", { className: "brush" }), { clientX: x0, clientY: y0 } = event;
  const figure = svg.closest<HTMLElement>("figure")!, flat = figure.dataset.kind === "dots";
  let drawn = false;
  const frame = (now: PointerEvent): DOMRect => { const all = svg.getBoundingClientRect(), left = Math.min(x0, now.clientX), right = Math.max(x0, now.clientX); return flat ? new DOMRect(left, all.top, right - left, all.height) : new DOMRect(left, Math.min(y0, now.clientY), right - left, Math.abs(now.clientY - y0)); };
  const move = (now: PointerEvent): void => {
    if (!drawn && Math.hypot(now.clientX - x0, now.clientY - y0) < FEW) return;
    if (!drawn) { drawn = true; document.body.append(box); hideTip(); }
    const { left, top, width, height } = frame(now);
    Object.assign(box.style, { left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px`, height: `${height}px` });
    now.preventDefault();
  };
  const up = (now: PointerEvent): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", up);
    box.remove();
    if (!drawn || now.type === "pointercancel") return;
    addEventListener("click", (click) => { click.stopPropagation(); click.preventDefault(); }, { capture: true, once: true });
    const { left, right, top, bottom } = frame(now);
    const hit = all<SVGElement>(".to", svg).filter((mark) => { const at = mark.getBoundingClientRect(), x = at.left + at.width / 2, y = at.top + at.height / 2; return x >= left && x <= right && y >= top && y <= bottom; });
    const chosen = together(hit.map(hrefOf).filter((to) => to.startsWith("#items?")));
    if (chosen) change({ ...chosen, from: figure.id, place: "" });
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
}

export function startPointing(): void {
  document.addEventListener("pointerover", (event) => { const mark = markOf(event.target); if (mark) showTip(mark); else if (tip) hideTip(); });
  document.addEventListener("focusin", (event) => { const mark = markOf(event.target); if (mark) showTip(mark); else hideTip(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  document.addEventListener("pointerdown", brush);
  document.addEventListener("click", (event) => {
    const target = event.target as Element, mark = target.closest<HTMLElement>(".to"), link = target.closest<HTMLAnchorElement>('a[href^="#"]');
    const to = (mark && hrefOf(mark)) ?? link?.getAttribute("href");
    const held = event as PointerEvent;
    if (mark && held.pointerType === "touch" && tip?.textContent !== told(mark)) { showTip(mark); return; }
    if (!to || held.metaKey || held.ctrlKey || held.shiftKey) return;
    if (mark && !to) return;
    event.preventDefault();
    hideTip();
    go(to, target.closest("figure")?.id ?? "");
    if (link?.classList.contains("skip")) document.getElementById("main")!.focus();
  });
}
