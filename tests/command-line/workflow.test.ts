/** Runs the steps of the example workflow, as a runner would, against a real service. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CROSSES, storeWaves } from '../support/backtests.ts';
import { runQueued } from '../support/run-queued.ts';
import { openWorld } from '../support/world.ts';

const sh = promisify(execFile);
const file = (name: string): string => fileURLToPath(new URL(`../../client/${name}`, import.meta.url));
const [planJob = '', applyJob = ''] = readFileSync(file('examples/strategies.yml'), 'utf8').split(
  /^ {2}apply:$/m,
);
const stepsOf = (job: string): string[] =>
  [...job.matchAll(/^ {6}(?:- | {2})run: (.*)$/gm)].map(([, command = '']) => command);

test('the example workflow plans, applies what was planned, and refuses what changed since', {
  tags: ['long'],
}, async () => {
  const world = await openWorld();
  const folder = mkdtempSync(path.join(tmpdir(), 'workflow-'));
  const running = runQueued(world);
  try {
    const toMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    await storeWaves(world.db, { fromMs: toMs - 9 * 86_400_000, toMs });
    mkdirSync(path.join(folder, 'strategies'));
    mkdirSync(path.join(folder, 'bin'));
    // The package of this repository stands for the installed one.
    for (const [name, command] of [
      ['npm', 'exit 0'],
      ['npx', `shift; exec "${process.execPath}" "${file('src/cli/main.ts')}" "$@"`],
    ] as const) {
      writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${command}\n`);
      chmodSync(path.join(folder, 'bin', name), 0o755);
    }
    const strategy = (name: string, visual: object) =>
      writeFileSync(path.join(folder, 'strategies', name), JSON.stringify(visual));
    const account = await world.account();
    const [summary, output] = [path.join(folder, 'summary'), path.join(folder, 'output')];
    const runJob = async (job: string, values: Readonly<Record<string, string>> = {}) => {
      for (const step of stepsOf(job)) {
        const command = step.replaceAll(/\$\{\{ (.*?) \}\}/g, (_all, name: string) => values[name] ?? '');
        await sh('bash', ['-eo', 'pipefail', '-c', command], {
          cwd: folder,
          env: {
            HOME: folder,
            PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
            GITHUB_STEP_SUMMARY: summary,
            GITHUB_OUTPUT: output,
            TRADING_STRATEGY_URL: world.base,
            TRADING_STRATEGY_KEY: account.key,
          },
        });
      }
    };
    const names = async () =>
      ((await account.http('GET', '/api/blueprints')).body as { name: string; status: string }[]).map(
        ({ name, status }) => `${name} ${status}`,
      );

    strategy('cross.json', CROSSES);
    await runJob(planJob);
    expect(readFileSync(summary, 'utf8')).toMatch(
      /create {2}cross.*backtest over 7 days:.*netProfit: .*1 create/s,
    );
    expect(await names()).toEqual([]);
    const plan = /^plan=(\w{32})$/m.exec(readFileSync(output, 'utf8'))?.[1] ?? '';
    const planned = { 'needs.plan.outputs.plan': plan };
    await runJob(applyJob, planned);
    expect(await names()).toEqual(['cross running']);
    strategy('more.json', { nodes: [], edges: [] });
    await expect(runJob(applyJob, planned)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('The plan is now'),
    });
    expect(await names()).toEqual(['cross running']);
  } finally {
    rmSync(folder, { recursive: true });
    await running.stop();
    await world.close();
  }
});
