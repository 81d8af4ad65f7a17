"use strict";
// A waiting page looks again by itself, and moves only when there is something new: whoever reads or listens is not thrown back.
const words = (page) => page.querySelector("main").textContent;

async function look() {
  try {
    const reply = await fetch("/");
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (reply.ok && words(page) !== words(document)) window.location.reload();
  } catch (error) {
    // No connection now; the next look may find one.
  }
}

window.setInterval(look, 10000);
