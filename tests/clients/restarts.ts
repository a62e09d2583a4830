/**
 * A bot of the packed package through restarts of the service, half of them kills, while the limits change: each acknowledged
 * change is heard and acted on once, and the stream is live again soon after the service is.
 *
 *   npm run test:restarts -- [--restarts 100]
 *
 * The last line is JSON: { restarts, changes, lost, doubled, effects, repeated, againP99Ms, againMaxMs, ok }.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantileOf } from '../../bench/support/quantile.ts';
import { freePort, startServiceProcess } from '../e2e/support/service-process.ts';
import { signUp } from '../support/sign-up.ts';
import { makeRunFolder, removeWithServer } from '../support/test-server.ts';
import { openProject } from './project.ts';
import { COMPILERS } from './tools.ts';

const AGAIN_MS_MAX = 5_000;
const LIVE_WITHIN_MS = 60_000;
const POLL_MS = 20;
/** Changes between two restarts; one more is in progress at each of them. */
const CHANGES = 2;

export type Restarts = {
  restarts: number;
  /** Acknowledged changes of the limits. */
  changes: number;
  /** Changes that the bot did not hear, or heard twice. */
  lost: number;
  doubled: number;
  /** Distinct strategies that the bot made, one for each change; and those made twice. */
  effects: number;
  repeated: number;
  againP99Ms: number;
  againMaxMs: number;
  ok: boolean;
};

/** Runs the compiled bot. */
export async function runRestarts(bot: string, restarts: number): Promise<Restarts> {
  await using opened = new AsyncDisposableStack();
  const dataDir = makeRunFolder();
  opened.defer(() => removeWithServer(dataDir));
  const env = { PORT: String(await freePort()), DEMO: '0', CONSOLE_BUILD: '0' };
  const start = () => startServiceProcess(env, dataDir);
  let service = await start();
  opened.defer(() => service.stop());
  const { base } = service;
  const key = await newKey(base);
  const program = spawn(process.execPath, [bot, base, key], { stdio: ['ignore', 'pipe', 'inherit'] });
  opened.defer(() => void program.kill('SIGKILL'));
  const heard: number[] = [];
  let liveMs = 0;
  createInterface({ input: program.stdout }).on('line', (line) => {
    const { state, since, version } = JSON.parse(line);
    if (state === 'live') liveMs = Date.parse(since);
    if (version !== undefined) heard.push(version);
  });
  const until = async (what: string, isSo: () => boolean) => {
    for (const endMs = Date.now() + LIVE_WITHIN_MS; !isSo(); await sleep(POLL_MS)) {
      if (program.exitCode !== null) throw new Error(`The bot ended with ${program.exitCode}.`);
      if (Date.now() > endMs) throw new Error(`${what} not within ${LIVE_WITHIN_MS} ms.`);
    }
  };
  await until('Live', () => liveMs > 0);
  const change = limitsOf(base, key);
  const again: number[] = [];
  const made: string[] = [];
  for (let round = 0; round < restarts; round++) {
    for (let each = 0; each < CHANGES; each++) await change();
    const [inProgress, stoppedMs] = [change(), Date.now()];
    await service.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    service = await start();
    const backMs = Date.now();
    await inProgress;
    await until('Live again', () => liveMs > stoppedMs);
    again.push(Math.max(0, liveMs - backMs));
    made.push(...(await deleteStrategies(base, key)));
    console.error(`restart ${again.length}: live again after ${again.at(-1)} ms`);
  }
  const changes = restarts * (CHANGES + 1);
  await until('The last change', () => new Set(heard).size >= changes);
  made.push(...(await deleteStrategies(base, key)));
  const effects = new Set(made).size;
  const distinct = new Set(heard).size;
  const figures = {
    restarts,
    changes,
    lost: changes - distinct,
    doubled: heard.length - distinct,
    effects,
    repeated: made.length - effects,
    againP99Ms: quantileOf(again, 0.99),
    againMaxMs: Math.max(...again),
  };
  const isExact =
    figures.lost === 0 && figures.doubled === 0 && effects === changes && figures.repeated === 0;
  return { ...figures, ok: isExact && figures.againP99Ms <= AGAIN_MS_MAX };
}

async function newKey(base: string): Promise<string> {
  const { cookie } = await signUp(base);
  const scopes = ['risk:read', 'risk:write', 'blueprints:read', 'blueprints:write'];
  const response = await fetch(`${base}/api/api-keys`, {
    method: 'POST',
    headers: { cookie, origin: base, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bot', scopes }),
  });
  return ((await response.json()) as { key: string }).key;
}

/** Changes a limit, each call to another value, and repeats the request under its key until it is acknowledged. */
function limitsOf(base: string, key: string): () => Promise<void> {
  let size = 0;
  return async () => {
    const body = JSON.stringify({ maxOrderSize: ++size });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `limit-${size}`,
    };
    for (;;) {
      const response = await fetch(`${base}/api/risk-rules`, { method: 'PUT', headers, body }).catch(
        () => null,
      );
      await response?.text();
      if (response?.ok) return;
      await sleep(POLL_MS);
    }
  };
}

/** Deletes the strategies that the bot made, of which an account may have 200, and returns their names. */
async function deleteStrategies(base: string, key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${base}/api/blueprints?limit=200`, { headers });
  const made = (await response.json()) as { id: string; name: string }[];
  for (const { id } of made) {
    const removed = await fetch(`${base}/api/blueprints/${id}`, { method: 'DELETE', headers });
    if (!removed.ok) throw new Error(`DELETE ${id} answered ${removed.status}: ${await removed.text()}`);
  }
  return made.map(({ name }) => name);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { restarts: { type: 'string', default: '100' } } });
  const project = await openProject();
  try {
    const problems = await project.compile(COMPILERS['TypeScript 7']);
    if (problems !== '') throw new Error(problems);
    const figures = await runRestarts(path.join(project.folder, 'out/bot.js'), Number(values.restarts));
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    if (!figures.ok) process.exitCode = 1;
  } finally {
    project.remove();
  }
}
