// Prints the test files that failed in a JSON report of vitest, one per line. Prints nothing if too many failed for chance.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { failedFiles } from './reports.mjs';

/** A machine that is three times slower fails a few of some 700 files, as they wait for each other. */
const CHANCE_MAX = 8;

const [report] = process.argv.slice(2);
const files = failedFiles(report).filter((file) => existsSync(file));
if (files.length <= CHANCE_MAX)
  for (const file of files) process.stdout.write(`${path.relative('.', file)}\n`);
