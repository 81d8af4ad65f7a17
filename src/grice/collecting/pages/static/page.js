"use strict";
// The slider of grice.theory.slider, and a page that keeps what is set until the server has stored it.

const STEPS = 10000, START = 5000, LOW_SLOPE = 0.003, HIGH_SLOPE = 0.0002;
const logistic = (x) => 1 / (1 + Math.exp(-x));

function probability(raw) {
  const fromMiddle = raw - START;
  if (fromMiddle <= 0) {
    const lowest = logistic(-LOW_SLOPE * START);
    return 0.5 * (logistic(LOW_SLOPE * fromMiddle) - lowest) / (0.5 - lowest);
  }
  const highest = logistic(HIGH_SLOPE * START);
  return 0.5 + 0.5 * (logistic(HIGH_SLOPE * fromMiddle) - 0.5) / (highest - 0.5);
}

function inWords(chance) {
  if (chance === 0) return "0% (impossible)";
  if (chance === 1) return "100% (certain)";
  const rare = Math.min(chance, 1 - chance);
  if (rare >= 0.1) return `${(100 * chance).toFixed(0)}%`;
  const digits = Math.max(1, 1 - Math.floor(Math.log10(100 * rare)));
  const odds = `1 in ${Number((1 / rare).toPrecision(2)).toLocaleString("en-GB", { maximumFractionDigits: 0 })}`;
  return `${(100 * chance).toFixed(digits)}% (${chance < 0.5 ? odds : "all but " + odds})`;
}

window.grice = { probability, inWords };

const block = JSON.parse(document.getElementById("block").textContent);
const state = document.getElementById("state");
const send = document.getElementById("send");

function say(words, kind) {
  state.textContent = words;
  state.className = `state ${kind || ""}`;
}

const pause = (ms) => new Promise((done) => window.setTimeout(done, ms));

async function post(address, content) {
  const abort = new AbortController();
  const timer = window.setTimeout(() => abort.abort(), 30000);
  try {
    const reply = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf": block.csrf },
      body: JSON.stringify(content),
      signal: abort.signal,
    });
    return { status: reply.status, body: await reply.json() };
  } finally {
    window.clearTimeout(timer);
  }
}

// What is set but not stored, kept in this browser under a name of this campaign, person and page.
const shelf = {
  read() {
    try { return JSON.parse(window.localStorage.getItem(block.shelf)) || {}; } catch (error) { return {}; }
  },
  write(draft) {
    try { window.localStorage.setItem(block.shelf, JSON.stringify(draft)); } catch (error) { /* a full or forbidden store */ }
  },
  clear() {
    try { window.localStorage.removeItem(block.shelf); } catch (error) { /* nothing was kept */ }
  },
};

// Practice: the feedback stands below each pair, and the button goes on.
function showFeedback(feedback) {
  Object.entries(feedback).forEach(([pair, { right, words }]) => {
    const note = document.getElementById(`pair-${pair}-error`);
    note.textContent = `${right ? "Yes." : "Not quite."} ${words}`;
    note.hidden = false;
  });
  say("Read the notes below the pairs, then go on.");
  const next = document.createElement("a");
  next.className = "button main";
  next.href = "/";
  next.textContent = "Go on";
  send.replaceWith(next);
  next.focus();
}

// Sends until the server says it is stored. The page's own id is the key, so sending twice stores once.
async function deliver(content) {
  send.setAttribute("aria-disabled", "true");
  for (let attempt = 0; ; attempt += 1) {
    let words = "No connection.";
    try {
      const { status, body } = await post(block.post, content);
      if (status === 200) {
        shelf.clear();
        if (body.feedback) {
          showFeedback(body.feedback);
          return;
        }
        say("Stored.", "kept");
        window.location.assign("/");
        return;
      }
      if (status === 410) {
        say(body.error, "trouble");
        await pause(2500);
        window.location.assign("/");
        return;
      }
      if (status === 425) {
        say(body.error);
        await pause(1000 * body.wait + 200);
        continue;
      }
      words = body.error || "The server could not store this.";
      if (status < 500 && status !== 429) {
        say(words, "trouble");
        send.removeAttribute("aria-disabled");
        return;
      }
    } catch (error) {
      words = "No connection.";
    }
    const wait = Math.min(30, 2 ** attempt);
    say(`${words} Your answers are still on this page; trying again in ${wait} s.`, "trouble");
    await pause(1000 * wait);
  }
}

// What is written in a discussion stays in this browser until it is stored: over a reload, and where the other was quicker.
function setUpDiscussion(form) {
  const note = document.getElementById("note");
  const radios = [...form.querySelectorAll("input[name=label]")];
  const chosen = () => radios.find((radio) => radio.checked).value;
  const draft = shelf.read();
  if (draft.label) {
    radios.forEach((radio) => { radio.checked = radio.value === draft.label; });
    note.value = draft.note;
    if (draft.seen !== block.seen) say("The other one has written meanwhile. What you wrote is still here.");
  }
  form.addEventListener("input", () => shelf.write({ label: chosen(), note: note.value, seen: block.seen }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (send.getAttribute("aria-disabled")) return;
    say("Sending …");
    deliver({ pair: block.pair, key: block.id, label: chosen(), note: note.value });
  });
  form.addEventListener("keydown", (event) => {
    numberKey(event, form);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}

// Number keys choose among the answers of the group that has the focus, or of the pair's first group.
function numberKey(event, pair) {
  if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  if (["text", undefined].includes(event.target.type) || event.target.tagName === "TEXTAREA") return;
  const group = event.target.closest("[role=radiogroup]") || pair.querySelector("[role=radiogroup]");
  const radio = group && group.querySelectorAll("input[type=radio]")[Number(event.key) - 1];
  if (!radio) return;
  radio.checked = true;
  radio.focus();
  radio.dispatchEvent(new Event("input", { bubbles: true }));
  event.preventDefault();
}

// Reaction times: from the page's being seen, or from the first touch of the pair before, to the first touch of a pair.
// While the page is hidden the clock rests.
const stopwatch = {
  since: performance.now(),
  hidden: 0,
  lap() {
    const now = performance.now();
    const ms = Math.max(0, Math.round(now - this.since - this.hidden));
    this.since = now;
    this.hidden = 0;
    return ms;
  },
};
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopwatch.left = performance.now();
  else if (stopwatch.left) {
    stopwatch.hidden += performance.now() - Math.max(stopwatch.left, stopwatch.since);
    stopwatch.left = 0;
  }
});

class Pair {
  constructor(element) {
    this.element = element;
    this.number = element.dataset.pair;
    this.error = element.querySelector(".error");
    this.fields = [...element.querySelectorAll(".field")];
    this.ms = null;
    element.querySelectorAll("input[type=range]").forEach((slider) => this.setUpSlider(slider));
    element.addEventListener("input", (event) => this.changed(event));
    element.addEventListener("keydown", (event) => numberKey(event, element));
  }

  setUpSlider(slider) {
    const touch = () => this.read(slider);
    slider.addEventListener("pointerdown", () => window.setTimeout(touch));
    slider.addEventListener("keydown", (event) => {
      const size = event.shiftKey ? 1 : 50;
      const moves = { ArrowLeft: -size, ArrowDown: -size, ArrowRight: size, ArrowUp: size, PageDown: -500, PageUp: 500 };
      const ends = { Home: 0, End: STEPS, " ": Number(slider.value) };
      if (!(event.key in moves) && !(event.key in ends)) return;
      event.preventDefault();
      const now = event.key in ends ? ends[event.key] : Number(slider.value) + moves[event.key];
      slider.value = String(Math.min(STEPS, Math.max(0, now)));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    slider.addEventListener("input", touch);
  }

  read(slider) {
    const box = slider.closest(".slide");
    const raw = Number(slider.value);
    const { low, high } = box.dataset;
    const words = box.dataset.widget === "slider"
      ? inWords(probability(raw))
      : (Number(low) + raw / STEPS * (high - low)).toPrecision(3);
    const first = slider.classList.contains("untouched");
    slider.classList.remove("untouched");
    slider.setAttribute("aria-valuetext", words);
    box.querySelector(".reading").textContent = words;
    if (first) slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  mark(name) {
    const box = this.element.querySelector(`[data-mark=${name}]`);
    return Boolean(box && box.checked);
  }

  changed(event) {
    const target = event.target;
    if (this.ms === null) this.ms = stopwatch.lap();
    if (target.dataset.mark && target.checked) {
      this.element.querySelectorAll("[data-mark]").forEach((box) => { box.checked = box === target; });
    } else if (!target.dataset.mark) {
      this.element.querySelectorAll("[data-mark]").forEach((box) => { box.checked = false; });
    }
    this.refresh();
    keeper.later(this);
  }

  refresh() {
    this.element.classList.toggle("off", this.mark("skip") || this.mark("nonsense"));
    const first = this.value(this.fields[0]);
    this.fields.forEach((field) => {
      field.hidden = (field.dataset.unless || "").split("|").includes(first) && first !== null;
    });
    if (!this.missing()) this.complain("");
  }

  value(field) {
    const box = field.querySelector("[data-widget]");
    const input = box.querySelector("input");
    if (box.dataset.widget === "slider" || box.dataset.widget === "range") {
      return input.classList.contains("untouched") ? null : Number(input.value);
    }
    if (box.dataset.widget === "words") return input.value.trim() || null;
    const chosen = box.querySelector("input:checked");
    if (!chosen) return null;
    return box.dataset.widget === "points" ? Number(chosen.value) : chosen.value;
  }

  reply() {
    if (this.mark("skip")) return { skip: true, ms: this.ms };
    if (this.mark("nonsense")) return { nonsense: true, ms: this.ms };
    const values = {};
    this.fields.filter((field) => !field.hidden).forEach((field) => {
      values[field.querySelector("[data-field]").dataset.field] = this.value(field);
    });
    return { values, ms: this.ms };
  }

  missing() {
    const reply = this.reply();
    return Boolean(reply.values) && Object.values(reply.values).some((value) => value === null);
  }

  complain(words) {
    this.error.textContent = words;
    this.error.hidden = !words;
    this.element.classList.toggle("wrong", Boolean(words));
  }

  restore(draft) {
    this.ms = draft.ms === undefined ? null : draft.ms;
    ["skip", "nonsense"].forEach((name) => {
      const box = this.element.querySelector(`[data-mark=${name}]`);
      if (box) box.checked = Boolean(draft[name]);
    });
    this.fields.forEach((field) => {
      const box = field.querySelector("[data-widget]");
      const value = (draft.values || {})[box.dataset.field];
      if (value === null || value === undefined) return;
      const input = box.querySelector("input");
      if (box.dataset.widget === "slider" || box.dataset.widget === "range") {
        input.value = String(value);
        input.classList.remove("untouched");
        this.read(input);
      } else if (box.dataset.widget === "words") {
        input.value = value;
      } else {
        box.querySelectorAll("input").forEach((radio) => {
          radio.checked = box.dataset.widget === "points" ? Number(radio.value) === value : radio.value === value;
        });
      }
    });
    this.refresh();
  }
}

// What is set but not sent: on the server for work, in this browser for the test.
const keeper = {
  waiting: new Map(),
  timer: 0,
  later(pair) {
    this.waiting.set(pair.number, pair);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), 600);
  },
  async keep() {
    if (send.getAttribute("aria-disabled")) return;
    const now = [...this.waiting.values()];
    this.waiting.clear();
    const drafts = Object.fromEntries(now.map((pair) => [pair.number, pair.reply()]));
    if (!block.draft) {
      shelf.write({ ...shelf.read(), ...drafts });
      return;
    }
    try {
      const { status } = await post(block.draft, { page: block.id, replies: drafts });
      if (send.getAttribute("aria-disabled")) return;
      if (status === 200) say("Kept, not sent yet.");
      else if (status >= 500 || status === 429) now.forEach((pair) => this.later(pair));
    } catch (error) {
      if (!send.getAttribute("aria-disabled")) say("No connection; your answers are still on this page.", "trouble");
      window.setTimeout(() => now.forEach((pair) => this.later(pair)), 3000);
    }
  },
};

function setUpPage(form) {
  const pairs = [...form.querySelectorAll("fieldset.pair")].map((element) => new Pair(element));
  const drafts = block.draft ? block.drafts : shelf.read();
  pairs.forEach((pair) => { if (drafts[pair.number]) pair.restore(drafts[pair.number]); else pair.refresh(); });
  const ready = Date.now() + 1000 * block.wait;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.getAttribute("aria-disabled")) return;
    const open = pairs.filter((pair) => pair.missing());
    open.forEach((pair) => pair.complain("This one is still open."));
    if (open.length) {
      say(`${open.length === 1 ? "One pair is" : open.length + " pairs are"} still open.`, "trouble");
      open[0].element.scrollIntoView({ block: "center" });
      open[0].element.querySelector("input").focus({ preventScroll: true });
      return;
    }
    window.clearTimeout(keeper.timer);
    send.setAttribute("aria-disabled", "true");
    say("Sending …");
    const replies = Object.fromEntries(pairs.map((pair) => [pair.number, pair.reply()]));
    await pause(Math.max(0, ready - Date.now()));
    deliver({ page: block.id, attempt: block.attempt, replies });
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) form.requestSubmit();
    else if (event.target.tagName === "INPUT") event.preventDefault();
  });
}

const discussion = document.getElementById("discussion");
const work = document.getElementById("page");
if (discussion) setUpDiscussion(discussion);
if (work) setUpPage(work);
