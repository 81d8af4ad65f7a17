// What draws a chart again in the page: Vega-Lite and Vega with their interpreter, so that no string is ever run as code.
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";

const loader = { load: async () => "", sanitize: async (href: string) => ({ href }), http: async () => "", file: async () => "" };

// What a compiler would remark on a specification does not concern a reader.
const quiet = { level: () => quiet, error: () => quiet, warn: () => quiet, info: () => quiet, debug: () => quiet };

/** A Vega-Lite specification as SVG text. */
async function draw(spec: object): Promise<string> {
  const runtime = parse(compile(spec as never, { logger: quiet as never }).spec, undefined, { ast: true } as never);
  const view = new View(runtime, { renderer: "none", expr: expressionInterpreter, loader, logLevel: 1 } as never);
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

(globalThis as unknown as { griceDraw: typeof draw }).griceDraw = draw;
