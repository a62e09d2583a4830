/** Runs the inspector's command line, the first tool with which an author of an agent tests `/mcp`. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE } from '../../routers/examples.ts';
import { type Account, openWorld, type World } from '../support/world.ts';
import { sh } from './sh.ts';
import { MODULES } from './tools.ts';

let world: World;
/** The inspector keeps a list of servers in its user's home. */
const home = mkdtempSync(path.join(tmpdir(), 'inspector-'));
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await world.close();
});

type InspectorResult = { exit: number; said: string };

async function inspect({ key }: Pick<Account, 'key'>, ...args: readonly string[]): Promise<InspectorResult> {
  const header = ['--header', `Authorization: Bearer ${key}`];
  const inspector = path.join(MODULES, '.bin/mcp-inspector');
  const call = ['--cli', `${world.base}/mcp`, ...header, '--method', ...args];
  return sh(inspector, call, { env: { ...process.env, HOME: home }, timeout: 60_000 }).then(
    ({ stdout }) => ({ exit: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ exit: Number(code), said: `${stdout}${stderr}` }),
  );
}

/** A tool's answer, read from the inspector's output. */
const answered = (said: string): unknown => JSON.parse(/"text": ("(?:[^"\\]|\\.)*")/.exec(said)?.[1] ?? '""');

test('lists the tools of a key, and accepts the schemas of all', async () => {
  const { exit, said } = await inspect(await world.account(), 'tools/list', '--strict');
  expect(exit, said.slice(-2_000)).toBe(0);
  const { tools } = JSON.parse(said) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['blueprints_deploy', 'orders_approve']),
  );
});

test('calls tools, and shows the reason of a refusal', async () => {
  const account = await world.account();
  const tool = (name: string, arg: string) =>
    inspect(account, 'tools/call', '--tool-name', name, '--tool-arg', arg);
  const made = await tool('blueprints_create', 'name=Seen');
  expect(made.exit).toBe(0);
  expect(answered(made.said)).toContain('"name":"Seen"');
  const refused = await tool('orders_approve', `id=${EXAMPLE.orderId}`);
  expect(refused.exit).not.toBe(0);
  expect(answered(refused.said)).toContain('"code":"not_found"');
});

test('shows the refusal of a call that the key may not make, and of every call without a valid key', async () => {
  const reader = await world.account('orders:read');
  const listed = await inspect(reader, 'tools/list');
  expect(listed.said).not.toContain('orders_approve');
  const call = await inspect(reader, 'tools/call', '--tool-name', 'orders_approve', '--tool-arg', 'id=1');
  expect(call.exit).not.toBe(0);
  const stranger = await inspect({ key: 'tsk_nothing' }, 'tools/list', '--stored-auth-only');
  expect(stranger.exit).not.toBe(0);
  expect(stranger.said).toContain('credentials_invalid');
});
