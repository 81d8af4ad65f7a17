// The browser of items: a form, the chips of what is asked, a page of rows.
import { $, count, make, root, short } from "./dom";
import { golds, judgeNamed, maskOf, openSets, ordered, readingOf, sureness, type ItemSet } from "./data";
import { itemBox, labelClass, letters, paradigm } from "./grid";
import { hiddenJudges, shownName } from "./judges";
import { change, NOTHING, state } from "./state";

const PAGE = 5;
let built = "";

/** Opens the items that the state asks for. */
export async function showItems(): Promise<void> {
  if (!$("items")) return;
  if (!built) $("count").textContent = "Opening the items…";
  const sets = await openSets().catch((error: Error) => { $("count").textContent = `The items could not be opened: ${error.message}.`; return []; }), started = performance.now();
  const set = sets[state.data];
  if (!sets.length) return;
  if (!set) return unknown(sets);
  const form = JSON.stringify([state.data, state.names, state.judge, state.reading, state.only, state.order, state.differ, state.given, state.sure, state.blocks]);
  if (form !== built && !$("filters").contains(document.activeElement)) fillForm(sets, set);
  built = form;
  const judge = judgeNamed(set, state.judge), reading = readingOf(set, state.reading);
  const kept = ordered(set, maskOf(set, state, hiddenJudges()), judge, reading, state.order || "wrong");
  list(set, kept, reading);
  root.dataset.took = (performance.now() - started).toFixed(1);
}

function unknown(sets: ItemSet[]): void {
  const first = make("button", { type: "button" }, `Show ${sets[0].name}`);
  first.onclick = () => change({ ...NOTHING, data: 0 });
  $("count").textContent = `There is no set of items number ${state.data}: this page has ${sets.length}, counted from 0.`;
  $("list").replaceChildren(first);
  for (const id of ["chips", "key", "pages", "filters"]) $(id).replaceChildren();
  built = "";
}

function list(set: ItemSet, kept: number[], reading: string | undefined): void {
  const groups = state.blocks ? [...new Set(kept.map((i) => (set.group[i] >= 0 ? set.group[i] : -2 - i)))] : null;
  const size = PAGE, total = groups ? groups.length : kept.length, pages = Math.max(1, Math.ceil(total / size));
  state.page = Math.min(state.page, pages - 1);
  const from = state.page * size;
  const rows = groups
    ? groups.slice(from, from + size).map((group) => paradigm(set, group >= 0 ? set.members.get(group)! : [-2 - group], reading))
    : kept.slice(from, from + size).map((i) => itemBox(set, i, reading));
  $("list").replaceChildren(...(rows.length ? rows : [nothing(set)]));
  const key = set.labels.length ? ["Answers: ", ...set.labels.flatMap((label, at) => [make("abbr", { className: labelClass(at), title: label }, letters(set)[at]), ` ${label}  `])] : [];
  if (set.judges.some((judge) => judge.probs)) key.push("· a bar shows how probable a judge finds each.");
  $("key").replaceChildren(...key);
  $("count").textContent = `${count(kept.length)} of ${count(set.n)} items of ${set.name}${groups ? `, in ${count(groups.length)} paradigms` : ""}`;
  chips(set);
  turn(pages);
}

function nothing(set: ItemSet): HTMLElement {
  const away = make("button", { type: "button" }, "Show all items");
  away.onclick = () => change({ ...NOTHING });
  const unfit = Object.entries(state.where).filter(([name, values]) => !set.columns[name] || !values.some((value) => set.columns[name].values.includes(value)));
  const told = unfit.length ? `${set.name} has no ${unfit.map(([name, values]) => `${short(name)} = ${values.join(" or ")}`).join(", ")}.` : "No item fits all of these at once. Remove one above, or:";
  return make("div", { className: "empty" }, make("p", {}, told), away);
}

const set_ = (to: Parameters<typeof change>[0], quiet = false): void => change({ page: 0, from: "", ...to, place: "items" }, quiet);

function chips(set: ItemSet): void {
  const drop = (label: string, to: Parameters<typeof change>[0]): HTMLElement => {
    const chip = make("button", { type: "button", title: "Remove this filter" }, `${label} ✕`);
    chip.onclick = () => set_(to);
    return chip;
  };
  const judge = shownName(judgeNamed(set, state.judge).name);
  const found = Object.entries(state.where).map(([name, values]) => {
    const { [name]: _, ...rest } = state.where;
    return drop(`${short(name)} = ${values.length > 3 ? `${values.length} values` : values.join(" or ")}`, { where: rest });
  });
  if (state.or.length) found.push(drop(`${state.or.length} numbers`, { or: [] }));
  if (state.search) found.push(drop(`“${state.search}”`, { search: "" }));
  if (state.only) found.push(drop(`${state.only} by ${judge}`, { only: "" }));
  if (state.given) found.push(drop(`${judge} answers ${state.given}`, { given: "" }));
  if (state.sure) found.push(drop(`${judge} is ${state.sure.split("-").map((share) => `${Math.round(100 * Number(share))}%`).join(" to ")} sure`, { sure: "" }));
  if (state.differ) found.push(drop(state.differ === "*" ? "judges differ" : `differs from ${shownName(state.differ)}`, { differ: "" }));
  if (state.reading) found.push(drop(`read ${state.reading}`, { reading: "" }));
  if (found.length > 1) found.push(drop("all filters", { ...NOTHING }));
  $("chips").replaceChildren(...found);
}

function turn(pages: number): void {
  const go = (label: string, to: number, off: boolean): HTMLElement => {
    const button = make("button", { type: "button", disabled: off }, label);
    button.onclick = () => { change({ page: to, place: "items" }); $("count").scrollIntoView({ block: "center" }); };
    return button;
  };
  $("pages").replaceChildren(...(pages > 1 ? [go("Previous", state.page - 1, state.page === 0), `Page ${count(state.page + 1)} of ${count(pages)}`, go("Next", state.page + 1, state.page >= pages - 1)] : []));
}

type Option = [string, string];

function pick(options: Option[], value: string, choose: (value: string) => void): HTMLSelectElement {
  const found = make("select", {}, ...options.map(([name, label]) => make("option", { value: name, selected: name === value }, label)));
  found.onchange = () => { choose(found.value); };
  return found;
}

function fillForm(sets: ItemSet[], set: ItemSet): void {
  const field = (label: string, control: HTMLElement): HTMLElement => make("label", {}, label, control);
  const search = make("input", { type: "search", value: state.search, placeholder: "words in the sentences" });
  let wait = 0;
  search.oninput = () => { clearTimeout(wait); wait = window.setTimeout(() => set_({ search: search.value }, true), 60); };
  const names = Object.keys(set.columns).filter((name) => set.columns[name].values.length > 1);
  const value = make("select", { disabled: true }, make("option", { value: "" }, "value"));
  const column = pick([["", "any tag"], ...names.map((name): Option => [name, (name.startsWith("gold.") ? "right answer, " : "") + short(name)])], "", (name) => {
    const found = set.columns[name];
    value.replaceChildren(make("option", { value: "" }, "value"), ...(found ? found.values.map((one) => make("option", { value: one }, one)) : []));
    value.disabled = !found;
  });
  value.onchange = () => { if (value.value) set_({ where: { ...state.where, [column.value]: [value.value] } }); };
  const tick = make("input", { type: "checkbox", checked: state.blocks });
  tick.onchange = () => set_({ blocks: tick.checked });
  const judge = judgeNamed(set, state.judge), readings: Option[] = [["", "where readings agree"], ...golds(set).filter((name) => name !== "gold.agreed").map((name): Option => [short(name), short(name)])];
  const sure = sureness(set, judge).some((share) => share > 0);
  $("filters").replaceChildren(
    ...(sets.length > 1 ? [field("Data", pick(sets.map((one, i): Option => [String(i), one.name]), String(state.data), (v) => set_({ ...NOTHING, data: Number(v) })))] : []),
    field("Search", search),
    field("Answers of", pick(set.judges.map((one): Option => [one.name, shownName(one.name)]), judge.name, (v) => set_({ judge: v }))),
    field("Right by", pick(readings, state.reading, (v) => set_({ reading: v }))),
    field("Show", pick([["", "all items"], ["wrong", "wrong"], ["right", "right"], ["unanswered", "unanswered"]], state.only, (v) => set_({ only: v }))),
    ...(set.labels.length ? [field("Answer", pick([["", "any"], ...set.labels.map((label): Option => [label, label])], state.given, (v) => set_({ given: v })))] : []),
    ...(sure ? [field("How sure", pick(SURE, state.sure, (v) => set_({ sure: v })))] : []),
    ...(set.judges.length > 1 ? [field("Differs from", pick([["", "anyone or none"], ["*", "any other: judges disagree"], ...set.judges.map((one): Option => [one.name, shownName(one.name)])], state.differ, (v) => set_({ differ: v })))] : []),
    field("Order", pick([["", "wrong and sure first"], ["right", "right and sure first"], ["unsure", "least sure first"], ["data", "as in the data"]], state.order, (v) => set_({ order: v }))),
    field("Tag", column), field("Value", value), make("label", { className: "tick" }, tick, "whole paradigms"));
  ($("filters") as HTMLFormElement).onsubmit = (event) => event.preventDefault();
}

const SURE: Option[] = [["", "any"], ["0-0.5", "at most 50%"], ["0.5-0.7", "50–70%"], ["0.7-0.9", "70–90%"], ["0.9-1", "90% or more"], ["0.95-1", "95% or more"], ["0.99-1", "99% or more"]];

