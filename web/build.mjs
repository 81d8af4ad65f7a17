// Bundles the page's script and the chart runtime into the assets that ship. The output depends on the sources and the lock file alone.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../src/grice/reporting/assets");
const common = { bundle: true, minify: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "none", absWorkingDir: here, logLevel: "warning" };
await build({ ...common, entryPoints: ["src/main.ts"], outfile: join(out, "page.js") });
await build({ ...common, entryPoints: ["src/runtime.ts"], outfile: join(out, "vega.js") });
