// The table of many models: a model is found by its name, and marked in the table and in its panel.
import { $, all } from "./dom";

export function startHeat(): void {
  const find = $("find-model") as HTMLInputElement | null;
  if (!find) return;
  const shown = (): HTMLElement[] => all(".heat tbody tr[data-judge], .model-panel");
  find.oninput = () => { for (const one of shown()) one.classList.toggle("unfound", !one.dataset.judge!.toLowerCase().includes(find.value.toLowerCase())); };
  for (const button of all(".mark-model")) button.onclick = () => {
    const on = button.getAttribute("aria-pressed") !== "true", name = button.closest("tr")!.dataset.judge;
    button.setAttribute("aria-pressed", String(on));
    for (const one of shown()) if (one.dataset.judge === name) one.classList.toggle("marked", on);
  };
}
