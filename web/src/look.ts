// A drawing as part of the page: its colours follow the theme, its marks say their numbers and open their items.
import { about } from "./judges";

const escape = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** SVG of Vega with the page's colours, a title for each mark and its items behind it. */
export function inline(svg: string, alt: string): string {
  let found = svg;
  found = found.replace(new RegExp(`<rect [^>]*fill="${about.palette.paper}"[^>]*/>`), "");
  for (const [word, colour] of Object.entries(about.palette)) found = found.replace(new RegExp(`"${colour}"`, "gi"), `"var(--${word})"`);
  found = found.replace(/<(path|line) aria-label="([^"]*)"([^>]*)\/>/g, "<$1$3><title>$2</title></$1>").replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, "");
  found = found.replace(/<a [^>]*?href="([^"]*)"[^>]*>/g, '<g class="to" data-to="$1">').replaceAll("</a>", "</g>");
  const size = /width="(\d+(?:\.\d+)?)" height="(\d+(?:\.\d+)?)"/.exec(found);
  if (size) found = found.replace(size[0], `style="max-width:${size[1]}px" preserveAspectRatio="xMinYMin meet"`);
  return found.replace("<svg ", `<svg role="img" aria-label="${escape(alt)}" `);
}
