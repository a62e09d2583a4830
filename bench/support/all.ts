/** Runs every bench one after another, each in a process of its own, and fails where one misses its targets. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..');
const missed = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .filter((name) => {
    console.log(`\n=== bench/${name}`);
    const { status } = spawnSync(process.execPath, [path.join(folder, name)], { stdio: 'inherit' });
    return status !== 0;
  });

console.log(missed.length === 0 ? '\nEvery target was met.' : `\nTargets missed: ${missed.join(', ')}`);
if (missed.length > 0) process.exitCode = 1;
