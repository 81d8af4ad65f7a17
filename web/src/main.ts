// The page: one state, read from the address, shown in the bar, the figures, the tables and the items.
import { $, all, count, make, root } from "./dom";
import { maskOf, sets } from "./data";
import { refreshFigures, watchFigures } from "./figures";
import { startHeat } from "./heat";
import { showItems } from "./items";
import { about, applyJudges, hiddenJudges, judgeOrder, showJudges, shownName } from "./judges";
import { startKeys } from "./keys";
import { startPointing } from "./point";
import { change, narrowed, NOTHING, onState, start, state } from "./state";
import { fillMenu } from "./take";

function remembered(): string {
  // A browser may forbid storage to a file; the address keeps the theme then.
  try { return localStorage.getItem("grice-theme") ?? ""; } catch { return ""; }
}

function showTheme(): void {
  const name = state.theme || remembered() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
  $("theme").setAttribute("aria-label", `Switch to ${name === "dark" ? "light" : "dark"} colours`);
}

function startTheme(): void {
  $("theme").onclick = () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("grice-theme", theme); } catch { /* the address keeps it */ }
    change({ theme }, true);
  };
}

/** The bar that says which items charts and list are narrowed to, and the way back. */
function showLinked(): void {
  const bar = $("linked");
  if (!bar) return;
  const set = sets()?.[state.data];
  bar.hidden = !narrowed() || !set;
  if (bar.hidden || !set) return;
  const kept = maskOf(set, state, hiddenJudges()).reduce((sum, one) => sum + one, 0), every = state.charts === "all";
  const clear = make("button", { type: "button" }, "Show all"), only = make("input", { type: "checkbox", checked: !every }), see = make("a", { href: "#items" }, "See them");
  clear.onclick = () => change({ ...NOTHING });
  only.onchange = () => change({ charts: only.checked ? "" : "all" });
  bar.replaceChildren(make("span", {}, `${count(kept)} of ${count(set.n)} items chosen. `), see, make("label", { className: "tick" }, only, "charts show these only"), clear);
}

/** The comparison is of the profiled judge; of another reference it would take other tests, which only Python has. */
function showComparison(): void {
  const box = document.querySelector<HTMLElement>("#comparison .compared"), note = document.querySelector<HTMLElement>("#comparison .uncompared");
  if (!box || !note) return;
  const first = about.judges[0].name, now = judgeOrder()[0];
  note.hidden = now === first;
  box.hidden = now !== first;
  if (box.hidden) note.textContent = `The differences on this page are ${shownName(first)} minus each rival. Those of ${shownName(now)} are made with: grice report RUNS --of '${now}'`;
}

let arrived = "";
let wanted = false;

async function show(): Promise<void> {
  showTheme();
  showJudges();
  applyJudges();
  showComparison();
  const place = state.place;
  const open = Boolean($("items")) && (place === "items" || narrowed() || wanted);
  if (open) await showItems();
  showLinked();
  await refreshFigures();
  // Only a new place is gone to: a filter must not move the page under the reader.
  const here = place === "items" ? location.hash.replace(/&?v\.[^&]*/g, "") : place;
  if (place && here !== arrived && !(document.activeElement && $("filters")?.contains(document.activeElement))) document.getElementById(place)?.scrollIntoView({ behavior: "instant" });
  arrived = here;
  root.dataset.shown = String(Number(root.dataset.shown ?? 0) + 1);
}

function markMenu(): void {
  const links = all<HTMLAnchorElement>("header nav a"), nav = document.querySelector("header nav")!;
  const mark = new IntersectionObserver((seen) => seen.forEach((one) => {
    if (!one.isIntersecting) return;
    for (const link of links) {
      if (link.getAttribute("href") !== `#${one.target.id}`) { link.removeAttribute("aria-current"); continue; }
      link.setAttribute("aria-current", "true");
      nav.scrollTo({ left: link.offsetLeft - nav.clientWidth / 2 + link.clientWidth / 2 });
    }
  }), { rootMargin: "-20% 0px -70% 0px" });
  all("main > section").forEach((section) => mark.observe(section));
}

function startMenus(): void {
  document.addEventListener("toggle", (event) => { const menu = event.target as HTMLDetailsElement; if (menu.matches("details.take") && menu.open) fillMenu(menu); }, true);
  document.addEventListener("click", (event) => all<HTMLDetailsElement>("details.take[open], #judges details[open]").forEach((menu) => { if (!event.composedPath().includes(menu)) menu.open = false; }));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") all<HTMLDetailsElement>("details.take[open], #judges details[open]").forEach((menu) => { menu.open = false; menu.querySelector("summary")?.focus(); }); });
}

start();
onState(() => void show());
startTheme();
startMenus();
startPointing();
startKeys();
startHeat();
markMenu();
watchFigures();
void show();
if ($("items")) new IntersectionObserver((seen, watch) => { if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); wanted = true; void showItems().then(showLinked); } }, { rootMargin: "600px" }).observe($("items"));
