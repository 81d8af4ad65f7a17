// The judges' bar: who is shown, under which name and colour, and who is the reference. It holds for figures, tables and items.
import { $, all, make } from "./dom";
import type { ItemSet, Judge } from "./data";
import { change, state } from "./state";

interface About { judges: { name: string; colour: string; shape: string; hollow: boolean }[]; palette: Record<string, string>; source: string; slug: string }

export const about = JSON.parse($("about").textContent!) as About;
const MARKS: Record<string, [string, string]> = { circle: ["●", "○"], square: ["■", "□"], "triangle-up": ["▲", "△"], "triangle-right": ["▶", "▷"], "triangle-down": ["▼", "▽"], cross: ["✚", "✛"], stroke: ["▬", "▭"] };

export const shownName = (name: string): string => state.names[name] ?? name;
export const hiddenJudges = (): string[] => (state.hide.length < about.judges.length ? state.hide : []);

/** The visible judges, the reference first. */
export function judgeOrder(): string[] {
  const hidden = hiddenJudges(), names = about.judges.map((judge) => judge.name).filter((name) => !hidden.includes(name));
  return names.includes(state.ref) ? [state.ref, ...names.filter((name) => name !== state.ref)] : names;
}

/** The colour the reader gave a judge, if any. */
export const judgeColour = (name: string): string | undefined => state.colours[name];

export function visibleJudges(set: ItemSet): Judge[] {
  const order = judgeOrder(), hidden = hiddenJudges();
  return [...set.judges].filter((judge) => !hidden.includes(judge.name)).sort((a, b) => (order.indexOf(a.name) + 999) % 999 - (order.indexOf(b.name) + 999) % 999);
}

const css = (judge: About["judges"][number]): string => {
  const known = Object.entries(about.palette).find(([, colour]) => colour.toLowerCase() === judge.colour.toLowerCase());
  return state.colours[judge.name] ?? (known ? `var(--${known[0]})` : judge.colour);
};

function toggle(name: string): void {
  const hide = state.hide.includes(name) ? state.hide.filter((one) => one !== name) : [...state.hide, name];
  if (hide.length < about.judges.length) change({ hide });
}

function swatch(judge: About["judges"][number]): HTMLElement {
  return make("span", { className: "swatch", style: `color:${css(judge)}`, "aria-hidden": "true" }, MARKS[judge.shape]?.[Number(judge.hollow)] ?? "●");
}

function chipOf(judge: About["judges"][number]): HTMLElement {
  const on = !hiddenJudges().includes(judge.name), reference = judgeOrder()[0] === judge.name;
  const chip = make("button", { type: "button", className: "who", "aria-pressed": String(on), title: `${on ? "Hide" : "Show"} ${judge.name}${reference ? " (reference)" : ""}` }, swatch(judge), ` ${shownName(judge.name)}`, ...(reference ? [make("span", { className: "ref" }, " reference")] : []));
  chip.onclick = () => toggle(judge.name);
  return chip;
}

function rowOf(judge: About["judges"][number]): HTMLElement {
  const name = make("input", { type: "text", value: shownName(judge.name), "aria-label": `Name of ${judge.name}` });
  name.onchange = () => { const { [judge.name]: _, ...names } = state.names; change({ names: name.value && name.value !== judge.name ? { ...names, [judge.name]: name.value } : names }); };
  const colour = make("input", { type: "color", value: state.colours[judge.name] ?? judge.colour, "aria-label": `Colour of ${judge.name}` });
  colour.onchange = () => change({ colours: { ...state.colours, [judge.name]: colour.value } });
  const reference = make("input", { type: "radio", name: "reference", checked: judgeOrder()[0] === judge.name, "aria-label": `${judge.name} is the reference` });
  reference.onchange = () => change({ ref: judge.name });
  return make("tr", {}, make("td", { className: "word" }, name), make("td", {}, colour), make("td", {}, reference));
}

/** The bar; a page of one judge has none. */
export function showJudges(): void {
  const bar = $("judges");
  if (!bar) return;
  const open = bar.querySelector("details")?.open ?? false;
  const inside = bar.contains(document.activeElement) ? all("button, input, summary", bar).indexOf(document.activeElement as HTMLElement) : -1;
  const reset = make("button", { type: "button" }, "As at first");
  reset.onclick = () => change({ hide: [], ref: "", names: {}, colours: {} });
  const head = ["name", "colour", "reference"].map((text) => make("th", { scope: "col", className: "word" }, text));
  const edit = make("details", { open }, make("summary", {}, "Edit"), make("div", { className: "panel" }, make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...about.judges.map(rowOf))), reset));
  bar.replaceChildren(make("span", { className: "title" }, "Models"), make("div", { className: "chips" }, ...about.judges.map(chipOf)), edit);
  if (inside >= 0) all("button, input, summary", bar)[inside]?.focus();
}

const texts = new WeakMap<Text, string>();

/** Hides the judges' cells and rows, and puts their names where a whole text or an unmistakable name stands. */
export function applyJudges(): void {
  const hidden = hiddenJudges();
  for (const cell of all("[data-judge]")) cell.hidden = hidden.includes(cell.dataset.judge!);
  const renamed = Object.keys(state.names), walker = document.createTreeWalker($("main"), NodeFilter.SHOW_TEXT);
  // A name like "one" may be a word of any sentence: only names with a sign or a digit in them are replaced within one.
  const sure = about.judges.map((judge) => judge.name).filter((name) => /[^A-Za-z]/.test(name.trim())).sort((a, b) => b.length - a.length);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest("#items, svg, .id, code, script")) continue;
    const first = texts.get(node) ?? node.data;
    if (!renamed.length) { if (texts.has(node)) node.data = first; continue; }
    const exact = renamed.find((name) => name === first.trim());
    const now = exact ? shownName(exact) : sure.reduce((text, name) => (renamed.includes(name) ? text.split(name).join(shownName(name)) : text), first);
    if (now !== first || texts.has(node)) { texts.set(node, first); if (node.data !== now) node.data = now; }
  }
}
