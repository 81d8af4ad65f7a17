// All that the reader chose, in the address: reload, back and a sent link show the same page.

export interface State {
  place: string;
  // The items: which data, read by whom against what, and every filter.
  data: number; judge: string; reading: string; where: Record<string, string[]>; or: string[];
  search: string; order: string; only: string; differ: string; given: string; sure: string; blocks: boolean; page: number; from: string; charts: string;
  // The view: it goes along with every link of the page.
  theme: string; hide: string[]; ref: string; names: Record<string, string>; colours: Record<string, string>; sorts: Record<string, string>;
}

const WORDS = ["judge", "reading", "search", "order", "only", "differ", "given", "sure", "from", "charts"] as const;
const fresh = (): State => ({
  place: "", data: 0, judge: "", reading: "", where: {}, or: [], search: "", order: "", only: "", differ: "", given: "", sure: "", blocks: false, page: 0, from: "", charts: "",
  theme: "", hide: [], ref: "", names: {}, colours: {}, sorts: {},
});

export const state = fresh();
const listeners: (() => void)[] = [];
export const onState = (listener: () => void): void => void listeners.push(listener);
const tell = (): void => listeners.forEach((listener) => listener());

/** Reads an address (`#place?query`) into a state. */
export function read(hash: string): State {
  const found = fresh(), [place, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  found.place = decodeURIComponent(place);
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "data") found.data = Number(value);
    else if (key === "page") found.page = Math.max(0, Math.trunc(Number(value)) - 1 || 0);
    else if (key === "blocks") found.blocks = true;
    else if (key === "or") found.or.push(value);
    else if ((WORDS as readonly string[]).includes(key)) found[key as (typeof WORDS)[number]] = value;
    else if (key === "v.theme") found.theme = value;
    else if (key === "v.hide") found.hide.push(value);
    else if (key === "v.ref") found.ref = value;
    else if (key.startsWith("v.name.")) found.names[key.slice(7)] = value;
    else if (key.startsWith("v.colour.")) { if (/^#[0-9a-f]{6}$/i.test(value)) found.colours[key.slice(9)] = value; }
    else if (key.startsWith("v.sort.")) found.sorts[key.slice(7)] = value;
    else (found.where[key] ??= []).push(value);
  }
  return found;
}

/** The state as an address. */
export function address(of: State): string {
  const query = new URLSearchParams();
  const add = (key: string, value: string): void => { if (value) query.append(key, value); };
  if (of.data) add("data", String(of.data));
  for (const key of WORDS) add(key, of[key]);
  for (const [key, values] of Object.entries(of.where)) values.forEach((value) => query.append(key, value));
  of.or.forEach((value) => add("or", value));
  if (of.blocks) add("blocks", "1");
  if (of.page) add("page", String(of.page + 1));
  add("v.theme", of.theme);
  of.hide.forEach((value) => add("v.hide", value));
  add("v.ref", of.ref);
  for (const [kind, known] of [["name", of.names], ["colour", of.colours], ["sort", of.sorts]] as const) for (const [key, value] of Object.entries(known)) add(`v.${kind}.${key}`, value);
  const text = query.toString();
  return `#${of.place}${text ? `?${text}` : ""}`;
}

/** Changes the state: into the address (a step one can go back from, unless `quiet`), then into the page. */
export function change(to: Partial<State>, quiet = false): void {
  Object.assign(state, to);
  const hash = address(state);
  if (hash !== location.hash && !(hash === "#" && !location.hash)) history[quiet ? "replaceState" : "pushState"](null, "", hash === "#" ? location.pathname + location.search : hash);
  tell();
}

/** Goes to a link of the page; the view goes along. A link to items sets every filter anew, another one leaves them. */
export function go(href: string, from = ""): void {
  const to = read(href), { theme, hide, ref, names, colours, sorts } = state;
  if (to.place === "items" && href.includes("?")) change({ ...to, theme, hide, ref, names, colours, sorts, from, charts: state.charts });
  else change({ place: to.place });
}

/** What the items and charts are narrowed to, without order and page; empty when all items are shown. */
export function filters(): Pick<State, "where" | "or" | "search" | "only" | "differ" | "given" | "sure"> {
  const { where, or, search, only, differ, given, sure } = state;
  return { where, or, search: search.trim(), only, differ, given, sure };
}

export const narrowed = (): boolean => Object.values(filters()).some((value) => (typeof value === "string" ? value : Object.keys(value).length));

export const NOTHING = { where: {}, or: [], search: "", only: "", differ: "", given: "", sure: "", reading: "", page: 0, from: "" };

export function start(): void {
  Object.assign(state, read(location.hash));
  addEventListener("hashchange", () => { Object.assign(state, read(location.hash)); tell(); });
}
