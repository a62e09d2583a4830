/**
 * Runs every bench one after another, each in a process of its own, and fails where one misses its targets.
 *
 *   node bench/support/all.ts [--quick]
 *
 * `--quick` only asks whether each still runs to its figures: short runs on a busy machine say nothing of speed. It
 * leaves out the one of starts, which every browser test does as well.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const QUICK: Readonly<Record<string, string[] | null>> = {
  'engine.ts': ['--seconds', '0.1'],
  'http.ts': ['--rounds', '1', '--seconds', '1'],
  'market-data.ts': ['--rounds', '1', '--seconds', '1'],
  'orders.ts': ['--rounds', '1', '--seconds', '1', '--closes', '10'],
  'runner.ts': ['--deployments', '1000', '--period', '2', '--seconds', '5'],
  'start.ts': null,
};

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const folder = path.join(import.meta.dirname, '..');
const failed = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !(values.quick && QUICK[name] === null))
  .filter((name) => !(values.quick ? runsToItsFigures(name) : meetsItsTargets(name)));

const [well, badly] = values.quick
  ? ['Every bench runs.', 'Benches without figures']
  : ['Every target was met.', 'Targets missed'];
console.log(failed.length === 0 ? `\n${well}` : `\n${badly}: ${failed.join(', ')}`);
if (failed.length > 0) process.exitCode = 1;

function meetsItsTargets(name: string): boolean {
  console.log(`\n=== bench/${name}`);
  return spawnSync(process.execPath, [path.join(folder, name)], { stdio: 'inherit' }).status === 0;
}

/** The last line is the figures as JSON, whatever they are. */
function runsToItsFigures(name: string): boolean {
  const options = QUICK[name];
  if (options == null) throw new Error(`Say in QUICK how bench/${name} is run in a moment.`);
  console.log(`\n=== bench/${name} ${options.join(' ')}`);
  const { stdout } = spawnSync(process.execPath, [path.join(folder, name), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  console.log(stdout);
  return isReport(stdout.trim().split('\n').at(-1) ?? '');
}

function isReport(line: string): boolean {
  try {
    const { bench, figures } = JSON.parse(line) as { bench?: unknown; figures?: unknown };
    return typeof bench === 'string' && typeof figures === 'object' && figures !== null;
  } catch {
    return false;
  }
}
