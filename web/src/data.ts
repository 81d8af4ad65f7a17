// The items with every judge's answers as columns of numbers; a filter is one pass over each column it needs.
import { unpack } from "./dom";
import type { State } from "./state";

interface Coded { values: string[]; codes: Int16Array; several?: number[][] }
export interface Judge { name: string; answer: Int16Array; probs?: number[][]; value?: (number | null)[]; fault?: Record<string, string>; sure?: Float32Array }
export interface ItemSet {
  name: string; n: number; id: string[]; texts: string[]; premise: Int32Array; hypothesis: Int32Array; group: number[]; labels: string[];
  columns: Record<string, Coded>; numbers: Record<string, (number | null)[]>; judges: Judge[]; members: Map<number, number[]>; lower?: string[];
}

let opened: Promise<ItemSet[]> | null = null;
let held: ItemSet[] | null = null;

/** The sets of items, unpacked the first time they are asked for. */
export function openSets(): Promise<ItemSet[]> {
  opened ??= unpack("packed").then((text) => (held = (JSON.parse(text) as ItemSet[]).map(prepare)));
  return opened;
}
export const sets = (): ItemSet[] | null => held;

function prepare(set: ItemSet): ItemSet {
  set.premise = Int32Array.from(set.premise);
  set.hypothesis = Int32Array.from(set.hypothesis);
  for (const column of Object.values(set.columns)) {
    const codes = column.codes as unknown as (number | number[])[];
    if (codes.some(Array.isArray)) column.several = codes.map((code) => (Array.isArray(code) ? code : code < 0 ? [] : [code]));
    column.codes = Int16Array.from(codes, (code) => (Array.isArray(code) ? (code[0] ?? -1) : code));
  }
  for (const judge of set.judges) judge.answer = Int16Array.from(judge.answer);
  set.members = new Map();
  set.group.forEach((group, i) => {
    if (group < 0) return;
    const known = set.members.get(group);
    if (known) known.push(i);
    else set.members.set(group, [i]);
  });
  return set;
}

export const golds = (set: ItemSet): string[] => Object.keys(set.columns).filter((name) => name.startsWith("gold."));
export const judgeNamed = (set: ItemSet, name: string): Judge => set.judges.find((judge) => judge.name === name) ?? set.judges[0];
export function readingOf(set: ItemSet, reading: string): string | undefined {
  if (reading && set.columns[`gold.${reading}`]) return `gold.${reading}`;
  return set.columns["gold.agreed"] ? "gold.agreed" : golds(set)[0];
}

/** 1 right, 0 wrong, −1 unknown, for every item: labels and gold have numberings of their own. */
export function correct(set: ItemSet, judge: Judge, reading: string | undefined): Int8Array {
  const found = new Int8Array(set.n).fill(-1);
  if (!reading || !set.columns[reading]) return found;
  const gold = set.columns[reading], map = set.labels.map((label) => gold.values.indexOf(label)), { codes } = gold, { answer } = judge;
  for (let i = 0; i < set.n; i++) if (answer[i] >= 0 && codes[i] >= 0) found[i] = map[answer[i]] === codes[i] ? 1 : 0;
  return found;
}

/** The highest probability in thousandths; 0 where there are none. */
export function sureness(set: ItemSet, judge: Judge): Float32Array {
  if (judge.sure) return judge.sure;
  const found = new Float32Array(set.n);
  for (const column of judge.probs ?? []) for (let i = 0; i < set.n; i++) if (column[i] > found[i]) found[i] = column[i];
  return (judge.sure = found);
}

type Filter = Pick<State, "where" | "or" | "search" | "only" | "differ" | "given" | "sure" | "judge" | "reading">;

function keepValues(set: ItemSet, name: string, values: string[], mask: Uint8Array): void {
  const column = set.columns[name];
  if (!column) return void mask.fill(0);
  const wanted = new Uint8Array(column.values.length + 1);
  for (const value of values) { const code = column.values.indexOf(value); if (code >= 0) wanted[code + 1] = 1; }
  const { codes, several } = column;
  if (several) for (let i = 0; i < set.n; i++) { if (mask[i] && !several[i].some((code) => wanted[code + 1])) mask[i] = 0; }
  else for (let i = 0; i < set.n; i++) if (!wanted[codes[i] + 1]) mask[i] = 0;
}

function keepWords(set: ItemSet, words: string, mask: Uint8Array): void {
  set.lower ??= set.texts.map((text) => text.toLowerCase());
  const hit = new Uint8Array(set.texts.length), asked = words.toLowerCase();
  for (let i = 0; i < hit.length; i++) hit[i] = set.lower[i].includes(asked) ? 1 : 0;
  for (let i = 0; i < set.n; i++) if (mask[i] && !hit[set.premise[i]] && !hit[set.hypothesis[i]] && !set.id[i].includes(words)) mask[i] = 0;
}

function keepDiffering(set: ItemSet, one: Judge, differ: string, hidden: readonly string[], mask: Uint8Array): void {
  const others = differ === "*" ? set.judges.filter((judge) => !hidden.includes(judge.name)) : [one, ...set.judges.filter((judge) => judge.name === differ)];
  for (let i = 0; i < set.n; i++) {
    if (!mask[i]) continue;
    let first = -1, apart = false;
    for (const { answer } of others) {
      if (answer[i] < 0) { if (differ !== "*") { apart = false; break; } continue; }
      if (first < 0) first = answer[i];
      else if (answer[i] !== first) apart = true;
    }
    if (!apart) mask[i] = 0;
  }
}

/** Which items a filter keeps, as ones and zeros. */
export function maskOf(set: ItemSet, asked: Filter, hidden: readonly string[] = []): Uint8Array {
  const mask = new Uint8Array(set.n).fill(1), judge = judgeNamed(set, asked.judge);
  for (const [name, values] of Object.entries(asked.where)) keepValues(set, name, values, mask);
  const gold = asked.reading ? set.columns[`gold.${asked.reading}`] : undefined;
  if (gold) for (let i = 0; i < set.n; i++) if (gold.codes[i] < 0) mask[i] = 0;
  if (asked.only === "wrong" || asked.only === "right") {
    const right = correct(set, judge, readingOf(set, asked.reading)), wanted = asked.only === "right" ? 1 : 0;
    for (let i = 0; i < set.n; i++) if (right[i] !== wanted) mask[i] = 0;
  }
  if (asked.only === "unanswered") for (let i = 0; i < set.n; i++) if (judge.answer[i] >= 0 || (judge.value && judge.value[i] !== null)) mask[i] = 0;
  if (asked.given) { const wanted = set.labels.indexOf(asked.given); for (let i = 0; i < set.n; i++) if (wanted < 0 || judge.answer[i] !== wanted) mask[i] = 0; }
  if (asked.sure) {
    const [low, high] = asked.sure.split("-").map((share) => 1000 * Number(share)), sure = sureness(set, judge);
    for (let i = 0; i < set.n; i++) if (!(sure[i] >= low && sure[i] <= high && sure[i] > 0)) mask[i] = 0;
  }
  if (asked.or.length) {
    const any = new Uint8Array(set.n);
    for (const one of asked.or) { const part = maskOf(set, asPart(one)); for (let i = 0; i < set.n; i++) any[i] |= part[i]; }
    for (let i = 0; i < set.n; i++) mask[i] &= any[i];
  }
  if (asked.differ) keepDiffering(set, judge, asked.differ, hidden, mask);
  if (asked.search) keepWords(set, asked.search, mask);
  return mask;
}

/** The items of one number, from its link: values of columns, and a reading that must be known. */
export function asPart(query: string): Filter & { data: number } {
  const found = { where: {} as Record<string, string[]>, or: [], search: "", only: "", differ: "", given: "", sure: "", judge: "", reading: "", data: 0 };
  for (const [key, value] of new URLSearchParams(query.replace(/^#items\?/, ""))) {
    if (key === "data") found.data = Number(value);
    else if (key === "judge" || key === "reading" || key === "given") found[key] = value;
    else (found.where[key] ??= []).push(value);
  }
  return found;
}

/** The kept items in the order asked for; keys are small whole numbers, so they are counted rather than compared. */
export function ordered(set: ItemSet, mask: Uint8Array, judge: Judge, reading: string | undefined, order: string): number[] {
  const kept: number[] = [];
  if (order === "data") { for (let i = 0; i < set.n; i++) if (mask[i]) kept.push(i); return kept; }
  const right = correct(set, judge, reading), sure = sureness(set, judge), first = order === "right" ? 1 : 0;
  const key = (i: number): number => (order === "unsure" ? Math.round(sure[i]) : (right[i] < 0 ? 2 : right[i] === first ? 0 : 1) * 1001 + 1000 - Math.round(sure[i]));
  const starts = new Int32Array(3 * 1001 + 2);
  for (let i = 0; i < set.n; i++) if (mask[i]) starts[key(i) + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  kept.length = starts[starts.length - 1];
  for (let i = 0; i < set.n; i++) if (mask[i]) kept[starts[key(i)]++] = i;
  return kept;
}
