"use strict";
// The browser of items: columns of numbers, filtered in one pass; only one page of rows is ever in the document.
(() => {
  const PAGE = 25, BLOCKS = 5;
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;

  const theme = (name) => {
    root.dataset.theme = name;
    $("theme").textContent = name === "dark" ? "Light" : "Dark";
    $("theme").setAttribute("aria-label", "Switch to " + (name === "dark" ? "light" : "dark") + " colours");
  };
  theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  $("theme").onclick = () => theme(root.dataset.theme === "dark" ? "light" : "dark");

  const make = (tag, props = {}, ...kids) => {
    const found = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) key in found ? (found[key] = value) : found.setAttribute(key, value);
    found.append(...kids);
    return found;
  };

  let sets = null;
  const state = { data: 0, judge: "", reading: "", where: {}, search: "", order: "wrong", only: "all", differ: "", given: "", blocks: false, page: 0 };

  async function unpack() {
    if (sets) return;
    $("count").textContent = "Opening the items…";
    const raw = Uint8Array.from(atob($("packed").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
    sets = JSON.parse(await new Response(stream).text());
    sets.forEach(prepare);
  }

  function prepare(set) {
    set.lower = set.texts.map((text) => text.toLowerCase());
    set.premise = Int32Array.from(set.premise);
    set.hypothesis = Int32Array.from(set.hypothesis);
    for (const column of Object.values(set.columns)) {
      column.several = column.codes.some(Array.isArray);
      if (!column.several) column.codes = Int16Array.from(column.codes);
    }
    for (const judge of set.judges) judge.answer = Int16Array.from(judge.answer);
    set.members = new Map();
    set.group.forEach((group, i) => group >= 0 && (set.members.get(group) || set.members.set(group, []).get(group)).push(i));
  }

  const golds = (set) => Object.keys(set.columns).filter((name) => name.startsWith("gold."));
  const short = (name) => name.replace(/^(tag|gold)\./, "");
  const judgeOf = (set) => set.judges.find((judge) => judge.name === state.judge) || set.judges[0];
  const readingOf = (set) => (state.reading && set.columns["gold." + state.reading] ? "gold." + state.reading : set.columns["gold.agreed"] ? "gold.agreed" : golds(set)[0]);

  function correct(set, judge, reading) {
    // 1 right, 0 wrong, -1 unknown, for every item: labels and gold have numberings of their own.
    const found = new Int8Array(set.n).fill(-1);
    if (!reading) return found;
    const gold = set.columns[reading], map = set.labels.map((label) => gold.values.indexOf(label));
    for (let i = 0; i < set.n; i++) if (judge.answer[i] >= 0 && gold.codes[i] >= 0) found[i] = map[judge.answer[i]] === gold.codes[i] ? 1 : 0;
    return found;
  }

  function sureness(set, judge) {
    const found = new Float32Array(set.n);
    if (judge.probs) for (const column of judge.probs) for (let i = 0; i < set.n; i++) if (column[i] > found[i]) found[i] = column[i];
    return found;
  }

  function hits(set) {
    const words = state.search.toLowerCase().trim();
    if (!words) return null;
    const found = new Uint8Array(set.texts.length);
    for (let i = 0; i < found.length; i++) found[i] = set.lower[i].includes(words) ? 1 : 0;
    return (i) => found[set.premise[i]] || found[set.hypothesis[i]] || set.id[i].includes(words);
  }

  function tests(set, right) {
    const found = [];
    for (const [name, value] of Object.entries(state.where)) {
      const column = set.columns[name], code = column ? column.values.indexOf(value) : -2;
      if (!column || code < 0) found.push(() => false);
      else if (column.several) found.push((i) => column.codes[i] !== -1 && column.codes[i].includes(code));
      else found.push((i) => column.codes[i] === code);
    }
    const gold = state.reading && set.columns["gold." + state.reading];
    if (gold) found.push((i) => gold.codes[i] >= 0);
    if (state.only === "wrong") found.push((i) => right[i] === 0);
    if (state.only === "right") found.push((i) => right[i] === 1);
    if (state.only === "unanswered") { const judge = judgeOf(set); found.push((i) => judge.answer[i] < 0 && !(judge.value && judge.value[i] !== null)); }
    if (state.differ) {
      const one = judgeOf(set).answer, other = (set.judges.find((judge) => judge.name === state.differ) || {}).answer;
      found.push((i) => other && one[i] >= 0 && other[i] >= 0 && one[i] !== other[i]);
    }
    if (state.given) { const code = set.labels.indexOf(state.given), answers = judgeOf(set).answer; found.push((i) => answers[i] === code); }
    const hit = hits(set);
    if (hit) found.push(hit);
    return found;
  }

  function chosen(set) {
    const judge = judgeOf(set), right = correct(set, judge, readingOf(set)), all = tests(set, right);
    const kept = [];
    next: for (let i = 0; i < set.n; i++) {
      for (const test of all) if (!test(i)) continue next;
      kept.push(i);
    }
    const sure = sureness(set, judge);
    // Wrong (0) before right (1) before unknown; then the surer first. Sorting numbers is far quicker than sorting with a function of objects.
    const rank = { wrong: [1, 0, 2], right: [0, 1, 2] }[state.order];
    if (rank) {
      const keys = new Float64Array(kept.length), shift = 2 ** 24;
      kept.forEach((i, at) => (keys[at] = ((right[i] < 0 ? 2 : rank[1 - right[i]] === 0 ? 0 : 1) * 1001 + (1000 - sure[i])) * shift + i));
      return { kept: Array.from(keys.sort(), (key) => key % shift), right };
    }
    if (state.order === "unsure") kept.sort((a, b) => sure[a] - sure[b] || a - b);
    return { kept, right };
  }

  function answers(set, i, reading) {
    const box = make("div", { className: "said" });
    for (const judge of set.judges) {
      const code = judge.answer[i], gold = reading && set.columns[reading];
      const given = code >= 0 ? set.labels[code] : judge.value && judge.value[i] !== null ? String(judge.value[i]) : judge.fault && judge.fault[i] ? "no answer" : "not asked";
      const known = code >= 0 && gold && gold.codes[i] >= 0;
      const right = known && gold.values[gold.codes[i]] === set.labels[code];
      box.append(make("span", { className: "who" }, judge.name), make("span", { className: known ? (right ? "right" : "wrong") : "" }, (known ? (right ? "✓ " : "✗ ") : "") + given));
      const probs = judge.probs && code >= 0 ? judge.probs.map((column) => column[i]) : null;
      const bar = make("span", probs ? { className: "probs", role: "img", title: set.labels.map((label, at) => label + " " + (probs[at] / 10).toFixed(1) + "%").join(", ") } : {});
      if (probs) {
        bar.setAttribute("aria-label", bar.title);
        probs.forEach((share) => bar.append(make("i", { style: "width:" + share / 10 + "%" })));
      } else if (judge.fault && judge.fault[i]) bar.textContent = judge.fault[i];
      box.append(bar);
    }
    return box;
  }

  function item(set, i, reading, alone) {
    const told = golds(set).filter((name) => set.columns[name].codes[i] >= 0 && (name !== "gold.agreed" || golds(set).length < 3))
      .map((name) => short(name) + ": " + set.columns[name].values[set.columns[name].codes[i]]);
    for (const [name, values] of Object.entries(set.numbers)) if (values[i] !== null) told.push(short(name) + ": " + values[i]);
    const meta = make("div", { className: "meta" }, make("span", {}, told.join(" · ") || "no gold answer"), make("span", {}, set.id[i]));
    const group = set.members.get(set.group[i]);
    if (alone && group && group.length > 1) {
      const open = make("button", { type: "button" }, "Paradigm (" + group.length + ")");
      open.onclick = () => open.closest(".item").replaceWith(block(set, group, reading));
      meta.append(open);
    }
    const arrow = make("span", { className: "arrow" }, "→ ");
    return make("div", { className: "item" }, make("p", {}, set.texts[set.premise[i]]),
      make("p", {}, ...(set.texts[set.hypothesis[i]] ? [arrow, set.texts[set.hypothesis[i]]] : [])), answers(set, i, reading), meta);
  }

  const block = (set, group, reading) => make("div", { className: "block" }, ...group.map((i) => item(set, i, reading, false)));

  function show() {
    const set = sets[state.data], started = performance.now();
    const { kept } = chosen(set), reading = readingOf(set);
    const groups = state.blocks ? [...new Set(kept.map((i) => (set.group[i] >= 0 ? set.group[i] : -2 - i)))] : null;
    const size = groups ? BLOCKS : PAGE, total = groups ? groups.length : kept.length;
    const pages = Math.max(1, Math.ceil(total / size));
    state.page = Math.min(state.page, pages - 1);
    const from = state.page * size;
    const rows = groups
      ? groups.slice(from, from + size).map((group) => block(set, group >= 0 ? set.members.get(group) : [-2 - group], reading))
      : kept.slice(from, from + size).map((i) => item(set, i, reading, true));
    $("list").replaceChildren(...rows);
    if (set.judges.some((judge) => judge.probs)) {
      const swatches = set.labels.map((label) => [make("i", {}), document.createTextNode(" " + label + " ")]);
      $("key").replaceChildren("A bar shows how probable a judge finds each label: ", ...swatches.flat());
    } else $("key").replaceChildren();
    $("count").textContent = kept.length.toLocaleString("en") + " of " + set.n.toLocaleString("en") + " items of " + set.name + (groups ? ", in " + groups.length.toLocaleString("en") + " paradigms" : "");
    chips(set);
    turn(pages);
    root.dataset.took = (performance.now() - started).toFixed(1);
  }

  function chips(set) {
    const drop = (label, away) => {
      const chip = make("button", { type: "button", title: "Remove this filter" }, label + " ✕");
      chip.onclick = () => { away(); state.page = 0; show(); };
      return chip;
    };
    const found = Object.entries(state.where).map(([name, value]) => drop(short(name) + " = " + value, () => delete state.where[name]));
    if (state.differ) found.push(drop("differs from " + state.differ, () => (state.differ = "")));
    if (state.given) found.push(drop("answered " + state.given, () => (state.given = "")));
    if (state.reading) found.push(drop("read " + state.reading, () => { state.reading = ""; form(set); }));
    $("chips").replaceChildren(...found);
  }

  function turn(pages) {
    const go = (label, to, off) => {
      const button = make("button", { type: "button", disabled: off }, label);
      button.onclick = () => { state.page = to; show(); $("count").scrollIntoView({ block: "center" }); };
      return button;
    };
    $("pages").replaceChildren(go("Previous", state.page - 1, state.page === 0), "Page " + (state.page + 1).toLocaleString("en") + " of " + pages.toLocaleString("en"), go("Next", state.page + 1, state.page >= pages - 1));
  }

  function form(set) {
    const field = (label, control) => make("label", {}, label, control);
    const pick = (options, value, set_) => {
      const found = make("select", {}, ...options.map(([name, label]) => make("option", { value: name, selected: name === value }, label)));
      found.onchange = () => { set_(found.value); state.page = 0; show(); };
      return found;
    };
    const search = make("input", { type: "search", value: state.search, placeholder: "words in the sentences" });
    let wait = 0;
    search.oninput = () => { clearTimeout(wait); wait = setTimeout(() => { state.search = search.value; state.page = 0; show(); }, 60); };
    const names = Object.keys(set.columns).filter((name) => set.columns[name].values.length > 1);
    const value = make("select", { disabled: true }, make("option", { value: "" }, "value"));
    const column = make("select", {}, make("option", { value: "" }, "any tag"), ...names.map((name) => make("option", { value: name }, (name.startsWith("gold.") ? "gold, " : "") + short(name))));
    column.onchange = () => {
      const found = set.columns[column.value];
      value.replaceChildren(make("option", { value: "" }, "value"), ...(found ? found.values.map((one) => make("option", { value: one }, one)) : []));
      value.disabled = !found;
    };
    value.onchange = () => { if (value.value) { state.where[column.value] = value.value; state.page = 0; show(); } };
    const tick = make("input", { type: "checkbox", checked: state.blocks });
    tick.onchange = () => { state.blocks = tick.checked; state.page = 0; show(); };
    const readings = [["", "where readings agree"], ...golds(set).filter((name) => name !== "gold.agreed").map((name) => [short(name), short(name)])];
    $("filters").replaceChildren(
      ...(sets.length > 1 ? [field("Data", pick(sets.map((one, i) => [String(i), one.name]), String(state.data), (v) => { state.data = +v; state.where = {}; state.reading = ""; form(sets[state.data]); }))] : []),
      field("Search", search),
      field("Answers of", pick(set.judges.map((judge) => [judge.name, judge.name]), judgeOf(set).name, (v) => (state.judge = v))),
      field("Right by", pick(readings, state.reading, (v) => (state.reading = v))),
      field("Show", pick([["all", "all items"], ["wrong", "wrong"], ["right", "right"], ["unanswered", "unanswered"]], state.only, (v) => (state.only = v))),
      field("Order", pick([["wrong", "wrong and sure first"], ["right", "right and sure first"], ["unsure", "least sure first"], ["data", "as in the data"]], state.order, (v) => (state.order = v))),
      ...(set.judges.length > 1 ? [field("Differs from", pick([["", "anyone or none"], ...set.judges.map((judge) => [judge.name, judge.name])], state.differ, (v) => (state.differ = v)))] : []),
      field("Tag", column), field("Value", value), make("label", { className: "tick" }, tick, "whole paradigms"));
    $("filters").onsubmit = (event) => event.preventDefault();
  }

  async function open(query) {
    await unpack();
    const asked = new URLSearchParams(query);
    Object.assign(state, { data: 0, judge: "", reading: "", where: {}, search: "", only: "all", differ: "", given: "", page: 0 });
    for (const [key, value] of asked) {
      if (key === "data") state.data = +value;
      else if (["judge", "reading", "search", "only", "order", "differ", "given"].includes(key)) state[key] = value;
      else state.where[key] = value;
    }
    form(sets[state.data]);
    show();
  }

  const links = [...document.querySelectorAll("header nav a")];
  const mark = new IntersectionObserver((seen) => seen.forEach((one) => {
    if (one.isIntersecting) links.forEach((link) => link.getAttribute("href") === "#" + one.target.id ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
  }), { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main > section").forEach((section) => mark.observe(section));
  // A page whose items were left out has nothing more to do.
  if (!$("items")) return;

  const follow = () => {
    if (!location.hash.startsWith("#items?")) return;
    open(location.hash.slice(7)).then(() => $("items").scrollIntoView({ behavior: "instant" }));
  };
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a, .to"), to = link && (link.dataset.to || link.getAttribute("href"));
    if (!to || !to.startsWith("#items?")) return;
    // The same link twice must open the same items again, though the address does not change.
    if (to === location.hash) { event.preventDefault(); follow(); }
    else if (link.dataset.to) location.hash = to;
  });

  if (location.hash.startsWith("#items?")) follow();
  else new IntersectionObserver((seen, watch) => { if (seen.some((one) => one.isIntersecting) && !sets) { watch.disconnect(); open(""); } }, { rootMargin: "600px" }).observe($("items"));
})();
