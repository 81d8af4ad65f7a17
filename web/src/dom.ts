// Small helpers: elements, packed texts, words.

export const root = document.documentElement;
export const $ = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
export const all = <T extends Element = HTMLElement>(what: string, within: ParentNode = document): T[] => [...within.querySelectorAll<T>(what)];

type Kid = Node | string;

/** An element with properties (or attributes, where it has no such property) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, props: Record<string, unknown> = {}, ...kids: Kid[]): HTMLElementTagNameMap[K] {
  const found = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (key in found && !key.startsWith("aria") && key !== "list") (found as unknown as Record<string, unknown>)[key] = value;
    else found.setAttribute(key, String(value));
  }
  found.append(...kids);
  return found;
}

/** The packed text of a file beside the page. A page opened from disk may load a script, and nothing else. */
function beside(file: string): Promise<string> {
  return new Promise((done, failed) => {
    const script = make("script", { src: file });
    script.onload = () => { const held = globalThis as unknown as { gricePacked: string }, text = held.gricePacked; held.gricePacked = ""; script.remove(); done(text); };
    script.onerror = () => failed(new Error(`${file} is not beside the page`));
    document.head.append(script);
  });
}

/** What the page carries under an id, or beside it: deflated and in base64, so that it costs nothing until it is asked for. */
export async function unpack(id: string): Promise<string> {
  const { src } = $(id).dataset, text = src ? await beside(src) : $(id).textContent ?? "";
  const raw = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

export const count = (n: number): string => n.toLocaleString("en");
export const short = (name: string): string => name.replace(/^(tag|gold)\./, "");

/** Hands a file to the reader. */
export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
