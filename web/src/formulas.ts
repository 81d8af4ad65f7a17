// Which share a number is, found out by computing it: a figure is recomputed only by what gives all its numbers as Python wrote them.
import { asPart, golds, maskOf, type ItemSet, type Judge } from "./data";
import { mean, type Estimate } from "./estimate";
import type { FigureFile, Figures } from "./figures";

/** For each series the formulas that give all of its numbers. */
export type Known = Map<string, string[]>;

const known = new Map<string, Known | null>();
const columns = new WeakMap<Judge, Map<string, Float32Array>>();
const places = new WeakMap<ItemSet, Map<string, Int32Array>>();

/** A value for each item by a formula; not a number where the item does not count. */
function columnOf(set: ItemSet, judge: Judge, formula: string): Float32Array {
  const made = columns.get(judge) ?? new Map<string, Float32Array>();
  columns.set(judge, made);
  const found = made.get(formula) ?? compute(set, judge, formula);
  made.set(formula, found);
  return found;
}

function compute(set: ItemSet, judge: Judge, formula: string): Float32Array {
  const found = new Float32Array(set.n).fill(NaN), [kind, first = "", second = ""] = formula.split("|");
  const right = (name: string, i: number): number => { const column = set.columns[name]; return column && column.codes[i] >= 0 ? Number(column.values[column.codes[i]] === set.labels[judge.answer[i]]) : NaN; };
  const readings = golds(set).filter((name) => name !== "gold.agreed");
  for (let i = 0; i < set.n; i++) {
    if (judge.answer[i] < 0) continue;
    if (kind === "right") found[i] = right(first, i);
    else if (kind === "answer") found[i] = Number(set.labels[judge.answer[i]] === first);
    else if (kind === "minus") found[i] = right(first, i) - right(second, i);
    else { const known = readings.map((name) => right(name, i)).filter((one) => !Number.isNaN(one)); if (known.length) found[i] = Number(known.every((one) => one === 0)); }
  }
  return found;
}

function placesOf(set: ItemSet, number: Figures): Int32Array {
  const made = places.get(set) ?? new Map<string, Int32Array>();
  places.set(set, made);
  const part = asPart(number.items), key = JSON.stringify([part.where, part.reading, part.given, part.given && part.judge]);
  let found = made.get(key);
  if (!found) {
    const mask = maskOf(set, part), kept: number[] = [];
    for (let i = 0; i < set.n; i++) if (mask[i]) kept.push(i);
    made.set(key, (found = Int32Array.from(kept)));
  }
  return found;
}

function estimate(set: ItemSet, number: Figures, formula: string, mask: Uint8Array | null): Estimate | null {
  const judge = set.judges.find((one) => one.name === number.judge);
  if (!judge) return null;
  const column = columnOf(set, judge, formula), values: number[] = [], groups: number[] = [];
  for (const i of placesOf(set, number)) if ((!mask || mask[i]) && !Number.isNaN(column[i])) { values.push(column[i]); groups.push(set.group[i]); }
  return mean(values, groups);
}

function candidates(file: FigureFile, series: string, number: Figures, set: ItemSet): string[] {
  const names = golds(set), readings = names.filter((name) => name !== "gold.agreed"), { reading } = asPart(number.items);
  if (file.domain[0] < 0) return readings.flatMap((one) => readings.filter((other) => other !== one).map((other) => `minus|${one}|${other}`));
  const right = [...new Set([`gold.${series}`, `gold.${reading}`, ...names])].filter((name) => set.columns[name]);
  return [...right.map((name) => `right|${name}`), ...set.labels.map((label) => `answer|${label}`), "neither"];
}

const close = (a: number | null, b: number | null): boolean => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-6);
// A figure may tell values without intervals; then it gets none here either.
const bare = (number: Figures): boolean => number.low === null && number.high === null;
const same = (found: Estimate | null, number: Figures): boolean => (found ? number.n === found.n && close(number.value, found.value) && (bare(number) || (close(number.low, found.low) && close(number.high, found.high))) : number.value === null);

/** The formulas of a figure, or null where some number is none of them. */
export function formulas(file: FigureFile, sets: ItemSet[]): Known | null {
  const ready = known.get(file.id);
  if (ready !== undefined) return ready;
  const found: Known = new Map(), linked = file.numbers.every((number) => number.items && sets[asPart(number.items).data]);
  for (const series of linked ? new Set(file.numbers.map((number) => number.series)) : []) {
    const numbers = file.numbers.filter((number) => number.series === series), set = sets[asPart(numbers[0].items).data];
    found.set(series, candidates(file, series, numbers[0], set).filter((formula) => numbers.every((number) => same(estimate(set, number, formula, null), number))));
  }
  const common = [...found.values()].reduce((left, right) => left.filter((one) => right.includes(one)), [...found.values()][0] ?? []);
  if (common.length) for (const series of found.keys()) found.set(series, common);
  const whole = linked && file.numbers.length && [...found.values()].every((one) => one.length) ? found : null;
  known.set(file.id, whole);
  return whole;
}

/** A number on the kept items; null where none of them count, or where what it is cannot be told. */
export function recompute(number: Figures, by: Known, set: ItemSet, mask: Uint8Array): Estimate | null {
  const found = by.get(number.series)!.map((formula) => estimate(set, number, formula, mask)), [first] = found;
  if (!found.every((one) => (one && first ? one.value === first.value && one.n === first.n : one === first))) return null;
  return first && bare(number) ? { ...first, low: null, high: null } : first;
}
