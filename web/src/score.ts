// The score of one answer: the four kinds of grice.core.measure.Score. A number that carries its score is computed again from chosen items.
import { asPart, maskOf, type ItemSet, type Judge } from "./data";
import { mean, type Estimate } from "./estimate";
import type { FigureFile, Figures } from "./figures";

export interface Score { kind: "right" | "answer" | "neither" | "difference"; args: string[] }

/** 1 where the answer is the gold one of a column, 0 where it is another; not a number without gold. */
function right(set: ItemSet, judge: Judge, gold: string, i: number): number {
  const column = set.columns[gold];
  return column && column.codes[i] >= 0 ? Number(column.values[column.codes[i]] === set.labels[judge.answer[i]]) : NaN;
}

/** The score of one answer; not a number where the item does not count. */
export function scoreAt(score: Score, set: ItemSet, judge: Judge, i: number): number {
  if (judge.answer[i] < 0) return NaN;
  if (score.kind === "answer") return Number(set.labels[judge.answer[i]] === score.args[0]);
  const each = score.args.map((gold) => right(set, judge, gold, i));
  if (score.kind === "right") return each[0];
  if (score.kind === "difference") return each[0] - each[1];
  return each.reduce((product, follows) => product * (1 - follows), 1);
}

const masks = new WeakMap<ItemSet, Map<string, Uint8Array>>();

/** The items of a number, without regard to what the reader chose. */
function itemsOf(set: ItemSet, number: Figures): Uint8Array {
  const part = asPart(number.items), key = JSON.stringify([part.where, part.reading, part.given, part.given && part.judge]);
  const bySet = masks.get(set) ?? new Map<string, Uint8Array>();
  masks.set(set, bySet);
  const mask = bySet.get(key) ?? maskOf(set, part);
  bySet.set(key, mask);
  return mask;
}

/** Whether every number of a figure can be computed from the items of one dataset. */
export const isComputable = (file: FigureFile, data: number): boolean =>
  file.numbers.every((number) => number.score !== undefined && number.items && asPart(number.items).data === data);

/** A number on the chosen items; null where none of them count. */
export function recompute(file: FigureFile, number: Figures, set: ItemSet, mask: Uint8Array): Estimate | null {
  const judge = set.judges.find((one) => one.name === number.judge);
  if (!judge) return null;
  const score = file.scores[number.score!], items = itemsOf(set, number), values: number[] = [], groups: number[] = [];
  for (let i = 0; i < set.n; i++) {
    if (!mask[i] || !items[i]) continue;
    const value = scoreAt(score, set, judge, i);
    if (!Number.isNaN(value)) { values.push(value); groups.push(set.group[i]); }
  }
  const estimate = mean(values, groups);
  // A figure may show values without intervals; then it gets none here either.
  return estimate && number.low === null && number.high === null ? { ...estimate, low: null, high: null } : estimate;
}
