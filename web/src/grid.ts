// One item, or a whole paradigm as a grid: conditions down, judges across.
import { count, make, short } from "./dom";
import { golds, type ItemSet, type Judge } from "./data";
import { shownName, visibleJudges } from "./judges";
import { change, NOTHING, state } from "./state";

const FOLD = 400;
const SHOWN_FIRST = ["tag.role", "tag.condition", "tag.operator"];

/** A text of the data: its own direction, and folded where it is long. */
export function textOf(text: string, before = ""): HTMLElement {
  const lead = before ? [make("span", { className: "arrow" }, before)] : [];
  if (text.length <= FOLD) return make("p", { dir: "auto" }, ...lead, text);
  const body = make("span", {}, `${text.slice(0, FOLD)}… `);
  const more = make("button", { type: "button", className: "more" }, `All ${count(text.length)} letters`);
  more.onclick = () => { body.textContent = text; more.remove(); };
  return make("p", { dir: "auto" }, ...lead, body, more);
}

/** A letter or a few for each label, so that answers are told apart without colour. */
export function letters(set: ItemSet): string[] {
  for (const size of [1, 2, 3]) {
    const cut = set.labels.map((label) => label.slice(0, size).toUpperCase());
    if (new Set(cut).size === cut.length) return cut;
  }
  return set.labels;
}

export const labelClass = (at: number): string => `label l${at % 6}`;

function mark(set: ItemSet, judge: Judge, i: number, reading: string | undefined): string {
  const gold = reading ? set.columns[reading] : undefined;
  if (!gold || gold.codes[i] < 0 || judge.answer[i] < 0) return "";
  return gold.values[gold.codes[i]] === set.labels[judge.answer[i]] ? "✓" : "✗";
}

function bar(set: ItemSet, judge: Judge, i: number): HTMLElement | null {
  if (!judge.probs || !judge.probs.some((column) => column[i] > 0)) return null;
  const told = set.labels.map((label, at) => `${label} ${(judge.probs![at][i] / 10).toFixed(1)}%`).join(", ");
  const found = make("span", { className: "probs", role: "img", title: told, "aria-label": told });
  judge.probs.forEach((column, at) => found.append(make("i", { className: labelClass(at), style: `width:${column[i] / 10}%` })));
  return found;
}

function chip(set: ItemSet, at: number): HTMLElement {
  return make("abbr", { className: labelClass(at), title: set.labels[at] }, letters(set)[at]);
}

function answerOf(set: ItemSet, judge: Judge, i: number, reading: string | undefined, whole: boolean): HTMLElement {
  const found = make("span", { className: "answer" });
  const value = judge.value?.[i];
  if (judge.answer[i] >= 0) {
    const right = mark(set, judge, i, reading);
    found.append(chip(set, judge.answer[i]), whole ? ` ${set.labels[judge.answer[i]]}` : "");
    if (right) found.append(" ", make("span", { className: right === "✓" ? "right" : "wrong", "aria-label": right === "✓" ? "right" : "wrong", role: "img" }, right));
  } else if (value !== null && value !== undefined) found.append(String(value));
  else found.append(make("span", { className: "fault", title: judge.fault?.[i] ?? "not asked" }, whole ? (judge.fault?.[i] ?? "not asked") : "–"));
  return found;
}

function tagsOf(set: ItemSet, i: number): [string, string][] {
  return Object.entries(set.columns).filter(([name]) => name.startsWith("tag."))
    .map(([name, column]): [string, string] => [name, column.several ? column.several[i].map((code) => column.values[code]).join(", ") : (column.values[column.codes[i]] ?? "")])
    .filter(([, value]) => value);
}

function goldsOf(set: ItemSet, i: number): string[] {
  const names = golds(set);
  const told = names.filter((name) => set.columns[name].codes[i] >= 0 && (name !== "gold.agreed" || names.length < 3))
    .map((name) => `${short(name)}: ${set.columns[name].values[set.columns[name].codes[i]]}`);
  for (const [name, values] of Object.entries(set.numbers)) if (values[i] !== null) told.push(`${short(name)}: ${values[i]}`);
  return told;
}

/** A button that shows the items of the same phenomenon and condition. */
function like(set: ItemSet, i: number): HTMLElement | null {
  const where: Record<string, string[]> = {};
  for (const name of ["tag.phenomenon", "tag.condition", "tag.operator", "tag.role"]) {
    const column = set.columns[name];
    if (column && !column.several && column.codes[i] >= 0) where[name] = [column.values[column.codes[i]]];
  }
  if (!Object.keys(where).length) return null;
  const found = make("button", { type: "button", className: "like" }, "More like this");
  found.onclick = () => change({ ...NOTHING, where, reading: state.reading, place: "items" });
  return found;
}

/** One item: the pair, who answered what, its gold answers and tags. */
export function itemBox(set: ItemSet, i: number, reading: string | undefined): HTMLElement {
  const said = make("div", { className: "said" });
  for (const judge of visibleJudges(set)) {
    said.append(make("span", { className: "who" }, shownName(judge.name)), answerOf(set, judge, i, reading, true), bar(set, judge, i) ?? make("span"));
  }
  const told = make("div", { className: "meta" }, make("span", { className: "gold" }, goldsOf(set, i).join(" · ") || "no right answer given"), make("span", { className: "id" }, set.id[i]));
  const tags = make("div", { className: "tags" }, ...tagsOf(set, i).filter(([name]) => !/^tag\.(confidence of|controls hold for)/.test(name)).map(([name, value]) => make("span", {}, make("i", {}, `${short(name)} `), value)));
  const buttons = make("div", { className: "buttons" });
  const group = set.members.get(set.group[i]);
  if (group && group.length > 1) {
    const open = make("button", { type: "button", className: "paradigm" }, `Paradigm (${group.length})`);
    open.onclick = () => { const made = paradigm(set, group, reading); open.closest(".item")!.replaceWith(made); made.querySelector("table")?.closest<HTMLElement>(".scroll")?.focus(); };
    buttons.append(open);
  }
  const more = like(set, i);
  if (more) buttons.append(more);
  const hypothesis = set.texts[set.hypothesis[i]];
  return make("div", { className: "item" }, textOf(set.texts[set.premise[i]]), ...(hypothesis ? [textOf(hypothesis, "→ ")] : []), said, told, tags, buttons);
}

/** A whole paradigm: a row a pair, its conditions, its right answers, a column a judge. */
export function paradigm(set: ItemSet, group: number[], reading: string | undefined): HTMLElement {
  const judges = visibleJudges(set);
  const rows = group.map((i) => new Map(tagsOf(set, i)));
  const varying = SHOWN_FIRST.filter((name) => rows.some((row) => row.get(name) !== rows[0].get(name)));
  const fixed = [...rows[0]].filter(([name, value]) => !varying.includes(name) && rows.every((row) => row.get(name) === value) && !/^tag\.(confidence of|controls hold for)/.test(name));
  const names = golds(set).filter((name) => (name !== "gold.agreed" || golds(set).length < 3) && group.some((i) => set.columns[name].codes[i] >= 0));
  const head = [...varying.map(short), "pair", ...names.map((name) => `right: ${short(name)}`)].map((text) => make("th", { scope: "col", className: "word" }, text));
  head.push(...judges.map((judge) => make("th", { scope: "col", className: "judge", title: judge.name }, shownName(judge.name))));
  const body = group.map((i, at) => make("tr", { className: rows[at].get("tag.role") === "control" ? "control" : "" },
    ...varying.map((name) => make("td", { className: "word" }, rows[at].get(name) ?? "")),
    make("td", { className: "word pair" }, textOf(set.texts[set.premise[i]]), ...(set.texts[set.hypothesis[i]] ? [textOf(set.texts[set.hypothesis[i]], "→ ")] : [])),
    ...names.map((name) => { const code = set.columns[name].codes[i], at = code < 0 ? -1 : set.labels.indexOf(set.columns[name].values[code]); return make("td", { className: "cell" }, ...(at >= 0 ? [chip(set, at)] : [code < 0 ? "" : set.columns[name].values[code]])); }),
    ...judges.map((judge) => { const shares = bar(set, judge, i); return make("td", { className: "cell" }, answerOf(set, judge, i, reading, false), ...(shares ? [shares] : [])); })));
  const table = make("table", { className: "paradigm" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  const about = make("div", { className: "tags" }, ...fixed.map(([name, value]) => make("span", {}, make("i", {}, `${short(name)} `), value)));
  const more = like(set, group[0]);
  return make("div", { className: "block" }, about, make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `Paradigm of ${set.id[group[0]]}` }, table), ...(more ? [make("div", { className: "buttons" }, more)] : []));
}

