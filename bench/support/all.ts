/**
 * Runs every bench in turn, each in its own process, and fails if one misses its targets.
 *
 *   node bench/support/all.ts [--quick]
 *
 * `--quick` only checks that each still produces its figures: short runs on a busy machine say nothing about speed. It leaves
 * out the bench of starts, which every browser test covers.
 */

import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import PQueue from 'p-queue';
import { QUICK } from './quick.ts';

const run = promisify(execFile);

/** A short run ends long before. */
const QUICK_MAX_MS = 120_000;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const folder = path.join(import.meta.dirname, '..');
const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const failed = values.quick
  ? await quickly(names.filter((name) => QUICK[name] !== null))
  : names.filter((name) => !meetsItsTargets(name));

const [well, badly] = values.quick
  ? ['Every bench runs.', 'Benches without figures']
  : ['Every target was met.', 'Targets missed'];
console.log(failed.length === 0 ? `\n${well}` : `\n${badly}: ${failed.join(', ')}`);
if (failed.length > 0) process.exitCode = 1;

function meetsItsTargets(name: string): boolean {
  console.log(`\n=== bench/${name}`);
  return spawnSync(process.execPath, [path.join(folder, name)], { stdio: 'inherit' }).status === 0;
}

/** Runs as many at once as there are processors, because speed does not matter. */
async function quickly(all: readonly string[]): Promise<string[]> {
  const queue = new PQueue({ concurrency: availableParallelism() });
  // Retries once a bench that stalls on a busy machine.
  const ran = await Promise.all(
    all.map((name) =>
      queue.add(async () => (await runsToItsFigures(name)) || (await runsToItsFigures(name))),
    ),
  );
  return all.filter((_name, index) => !ran[index]);
}

/** Checks that the last line is the figures as JSON, whatever their values. */
async function runsToItsFigures(name: string): Promise<boolean> {
  const options = QUICK[name];
  if (options == null) throw new Error(`Say in QUICK how bench/${name} is run in a moment.`);
  // A missed target has its own exit code, which is not a failure here.
  const { stdout } = await run(process.execPath, [path.join(folder, name), ...options], {
    timeout: QUICK_MAX_MS,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    console.error(error.stderr);
    return { stdout: error.stdout ?? '' };
  });
  console.log(`\n=== bench/${name} ${options.join(' ')}\n${stdout}`);
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
