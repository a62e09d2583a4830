// The entry point: checks the version, then loads the TypeScript. Plain JavaScript, so that an old Node.js gets as far
// as the check; for the same reason `node:module` is taken whole, as a missing name would fail before the check runs.

import './check-node.mjs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Node.js 24 up to 24.11 calls running TypeScript experimental, in a warning that helps nobody who runs a service.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...details) => {
  if (!/type stripping/i.test(String(warning))) emitWarning.call(process, warning, ...details);
};

// Compiled code is kept for the next start. Where the folder cannot be written, Node.js goes without.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

// `--warm` only compiles what a start loads, as the build of an image does.
await import(process.argv.includes('--warm') ? './process/run.ts' : './process/main.ts');
module.flushCompileCache();
