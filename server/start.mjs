// The entry point: checks the version, then loads the TypeScript. Plain JavaScript, so that an old Node.js reaches the check.
// For the same reason `node:module` is imported as a whole: a missing name would fail before the check.

import './check-node.mjs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Node.js 24 up to 24.11 warns that running TypeScript is experimental, which does not help an operator.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...details) => {
  if (!/type stripping/i.test(String(warning))) emitWarning.call(process, warning, ...details);
};

// Stores compiled code for the next start. Node.js goes without if the folder is not writable.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

// `--warm` only compiles the modules of a start and of a computing thread, as the build of an image does.
const isWarming = process.argv.includes('--warm');
await import(isWarming ? './process/run.ts' : './process/main.ts');
if (isWarming) await import('./workers/research/sweep-worker.ts');
module.flushCompileCache();
