import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openWorld } from '../support/world.ts';

/** Runs in the process before the service: a signal makes a promise fail that no code awaits. */
const FAILS_ON_SIGNAL = `process.on('SIGUSR2', () => void neglected());
  async function neglected() { throw new Error('no code awaits this'); }`;

test('a rejection that no code handles is logged with its stack, and the process stops in order with exit code 1', {
  tags: ['long'],
}, async () => {
  const world = await openWorld();
  const { host, port, user, password, dbName } = world.database.owner;
  const url = `postgresql://${user}:${password}@/${dbName}?host=${encodeURIComponent(host)}&port=${port}`;
  const preload = `data:text/javascript,${encodeURIComponent(FAILS_ON_SIGNAL)}`;
  const child = spawn(process.execPath, ['--import', preload, 'server/start.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'test', ROLE: 'runner', LIVE_TRADING: 'off', DATABASE_URL: url },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk) => {
      const wasRunning = printed.includes('"running"');
      printed += chunk;
      if (!wasRunning && printed.includes('"running"')) child.kill('SIGUSR2');
    });
  }
  const [code] = await once(child, 'exit');
  const lines = printed.trim().split('\n');
  const error = lines.find((line) => line.includes('no code awaits this'));
  expect(error, printed).toContain('no code awaits this');
  expect(JSON.parse(error ?? '')).toMatchObject({
    level: 'error',
    origin: 'unhandledRejection',
    error: expect.stringMatching(/\n +at neglected/),
  });
  expect(lines.at(-1)).toContain('work in progress finishes');
  expect(code).toBe(1);
  await world.close();
});
