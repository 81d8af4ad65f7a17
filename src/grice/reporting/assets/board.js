"use strict";
(() => {
  const root = document.documentElement, theme = document.getElementById("theme");
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  try { const kept = localStorage.getItem("grice-theme"); if (kept) root.dataset.theme = kept; } catch { /* no storage for files */ }
  label();
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("grice-theme", root.dataset.theme); } catch { /* kept for this page only */ }
    label();
  });
  const state = () => new URLSearchParams(location.hash.slice(1));
  const go = (changes) => {
    const next = state();
    for (const [key, value] of Object.entries(changes)) if (value) next.set(key, value); else next.delete(key);
    const hash = next.toString();
    if (hash !== location.hash.slice(1)) history.pushState(null, "", hash ? "#" + hash : location.pathname + location.search);
    show();
  };
  const board = document.getElementById("board"), matrix = document.getElementById("matrix");
  let show = () => {};
  if (board) {
    const body = board.querySelector("tbody:not(.people)"), rows = [...body.rows], find = document.getElementById("find"), decided = document.getElementById("decided"), count = document.getElementById("count");
    const buttons = [...board.querySelectorAll("button[data-sort]")];
    const columns = buttons.map((b) => b.dataset.sort).filter((key) => key !== "judge" && key !== "faults");
    const cell = (row, key) => row.cells[key === "faults" ? row.cells.length - 1 : 1 + columns.indexOf(key)];
    const name = (row) => row.dataset.name;
    const first = (key) => (key === "judge" || key === "faults" || cellHead(key).hasAttribute("data-lower") ? "up" : "down");
    const cellHead = (key) => buttons.find((b) => b.dataset.sort === key).closest("th");
    show = () => {
      const now = state(), key = buttons.some((b) => b.dataset.sort === now.get("sort")) ? now.get("sort") : columns[0] || "judge";
      const up = (now.get("dir") || first(key)) === "up" ? 1 : -1, asked = (now.get("q") || "").toLowerCase();
      const sure = (row) => (key === "judge" ? 0 : key === "faults" || cell(row, key).hasAttribute("data-decided") ? 0 : "value" in cell(row, key).dataset ? 1 : 2);
      const number = (row) => (key === "judge" ? 0 : Number(cell(row, key).dataset.value || 0));
      const byName = (a, b) => name(a).localeCompare(name(b));
      const keys = new Map(rows.map((row) => [row, [sure(row), number(row)]]));
      rows.sort((a, b) => {
        const [sa, va] = keys.get(a), [sb, vb] = keys.get(b);
        return key === "judge" ? up * byName(a, b) : sa - sb || up * (va - vb) || byName(a, b);
      });
      const only = now.get("only") === "decided";
      let there = 0;
      decided.checked = only;
      for (const row of rows) row.querySelector(".rank").textContent = columns.includes(key) ? (cell(row, key).dataset.rank ?? "–") : "";
      for (const row of rows) { row.hidden = !name(row).toLowerCase().includes(asked) || (only && columns.includes(key) && !cell(row, key).hasAttribute("data-decided")); there += !row.hidden; }
      body.append(...rows);
      for (const b of buttons) {
        const th = b.closest("th");
        if (b.dataset.sort === key) th.setAttribute("aria-sort", up > 0 ? "ascending" : "descending"); else th.removeAttribute("aria-sort");
      }
      if (document.activeElement !== find) find.value = now.get("q") || "";
      count.textContent = asked || only ? (there ? `${there} of ${rows.length} models` : asked ? `No model has “${now.get("q")}” in its name` : "No model has a verdict here") : "";
    };
    for (const b of buttons) b.addEventListener("click", () => {
      const key = b.dataset.sort, th = b.closest("th"), now = th.getAttribute("aria-sort");
      go({ sort: key, dir: now ? (now === "ascending" ? "down" : "up") : first(key) });
    });
    decided.addEventListener("change", () => go({ only: decided.checked ? "decided" : "" }));
    find.addEventListener("input", () => {
      const next = state();
      if (find.value) next.set("q", find.value); else next.delete("q");
      history.replaceState(null, "", "#" + next);
      show();
    });
  }
  if (matrix) {
    const { judges, columns, inconclusive, pairs } = JSON.parse(document.getElementById("data").textContent);
    const choose = document.getElementById("column"), detail = document.getElementById("pair");
    const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, more);
    const found = new Map(pairs.map((one) => [one.slice(0, 3).join(), one.slice(3)]));
    const points = (v) => (v > 0 ? "+" : v < 0 ? "−" : "±") + Math.abs(100 * v).toFixed(1);
    // The pair is kept once, in the order of the names: the other way round it is mirrored.
    const get = (c, a, b) => {
      const one = found.get([c, a, b].join());
      if (one) return one;
      const back = found.get([c, b, a].join());
      if (!back) return undefined;
      const [v, low, high, n, k, x, y, p, holm] = back;
      return [-v, high === null ? null : -high, low === null ? null : -low, n, k, y, x, p, holm];
    };
    columns.forEach((one, i) => choose.append(make("option", one.name, { value: one.id, selected: i === 0 })));
    const draw = (c) => {
      const head = make("thead"), top = head.appendChild(make("tr")), body = make("tbody");
      top.append(make("th", ""));
      judges.forEach((name) => top.append(make("th", name, { scope: "col" })));
      judges.forEach((name, a) => {
        const row = body.appendChild(make("tr"));
        row.append(make("th", name, { scope: "row" }));
        judges.forEach((other, b) => {
          const td = row.appendChild(make("td")), one = a === b ? undefined : get(c, a, b);
          if (!one) return;
          const button = td.appendChild(make("button", points(one[0]), { type: "button" }));
          button.setAttribute("aria-label", `${name} minus ${other}: ${points(one[0])} points, p ${one[8]}`);
          button.addEventListener("click", () => go({ column: columns[c].id, a: name, b: other }));
          td.className = (inconclusive[c][a] || inconclusive[c][b] ? "inconclusive " : "") + (one[8] < 0.05 ? "sure" : "");
          td.dataset.pair = a + "," + b;
          const strength = Math.min(60, Math.abs(one[0]) * 120);
          if (!td.className.includes("inconclusive")) td.style.background = `color-mix(in srgb, var(${one[0] > 0 ? "--blue" : "--orange"}) ${one[8] < 0.05 ? strength : strength / 4}%, transparent)`;
        });
      });
      matrix.replaceChildren(head, body);
    };
    const forest = (a, b) => {
      detail.replaceChildren(make("h2", `${judges[a]} minus ${judges[b]}`));
      const table = make("table", undefined, { className: "dots" }), head = table.createTHead().insertRow();
      for (const text of ["", "", "points, 95% interval", "n items/paradigms", "only the first right", "only the second right", "p", "p (Holm over pairs)"]) head.append(make("th", text, { scope: "col" }));
      const body = table.createTBody();
      columns.forEach((column, c) => {
        const one = get(c, a, b);
        if (!one) return;
        const [v, low, high, n, k, x, y, p, holm] = one, row = body.insertRow();
        row.className = inconclusive[c][a] || inconclusive[c][b] ? "inconclusive" : "";
        row.append(make("th", column.name, { scope: "row" }));
        const wide = row.insertCell(), bar = wide.appendChild(make("span", undefined, { className: "bar" })), at = (value) => 50 + 50 * value;
        wide.className = "wide";
        for (const [key, value] of [["--v", v], ["--l", low ?? v], ["--h", high ?? v]]) bar.style.setProperty(key, at(value) + "%");
        const ends = low === null ? "" : ` (${points(low)} to ${points(high)})`;
        for (const text of [points(v) + ends, `${n}/${k}`, x, y, p.toPrecision(2), holm.toPrecision(2)]) row.insertCell().textContent = text;
      });
      const scroll = make("div", undefined, { className: "scroll", tabIndex: 0 });
      scroll.append(table);
      detail.append(scroll);
      if (!body.rows.length) detail.append(make("p", "They answered no items in common."));
    };
    let drawn = -1;
    show = () => {
      const now = state(), c = Math.max(0, columns.findIndex((one) => one.id === now.get("column")));
      choose.value = columns[c].id;
      if (c !== drawn) draw((drawn = c));
      const a = judges.indexOf(now.get("a")), b = judges.indexOf(now.get("b"));
      for (const td of matrix.querySelectorAll("td[data-pair]")) if (td.dataset.pair === a + "," + b) td.setAttribute("aria-current", "true"); else td.removeAttribute("aria-current");
      if (a >= 0 && b >= 0 && a !== b) forest(a, b); else detail.replaceChildren();
    };
    choose.addEventListener("change", () => go({ column: choose.value }));
  }
  addEventListener("popstate", () => show());
  addEventListener("hashchange", () => show());
  show();
})();
