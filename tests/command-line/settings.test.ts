/** Limits and channels of an account as files: `plan` and `apply`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { EXIT } from '../../client/src/cli/io.ts';
import { commandLine } from '../support/command-line.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

type Settings = { subject: string; action: string; differences: string[] };
type Planned = { plan: string; changes: number; settings: Settings[]; steps: object[] };
type Channel = { id: string; label: string; state: string; switches: Record<string, string> };

const world = openedForFile(openWorld);
let account: Account;
let folder: string;
beforeEach(async () => {
  account = await world.account();
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  return () => rmSync(folder, { recursive: true });
});

const file = (name: string, value: unknown): string => {
  const at = path.join(folder, name);
  writeFileSync(at, JSON.stringify(value));
  return at;
};
const command = (
  args: readonly string[],
  env: Record<string, string> = {},
  ask: (() => Promise<string>) | null = null,
) =>
  commandLine(
    args,
    { HOME: folder, TRADING_STRATEGY_URL: world.base, TRADING_STRATEGY_KEY: account.key, ...env },
    ask,
  );
const plan = async (...args: string[]): Promise<Planned> => {
  const { out, err } = await command(['plan', ...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out) as Planned;
};
const rules = async () => ({
  ...((await account.http('GET', '/api/risk-rules')).body as object),
  ...((await account.http('GET', '/api/risk-rules/optional')).body as object),
});
const channels = async () => (await account.http('GET', '/api/notification-channels')).body as Channel[];

const DESK = {
  kind: 'webhook',
  label: 'Desk',
  url: { env: 'DESK_URL' },
  switches: { 'order.filled': 'off' },
  quietHours: { zone: 'Europe/Zurich', from: '22:00', to: '07:00' },
};
const DESK_URL = 'https://93.184.216.34/hook';

test('limits of both kinds are planned by name, applied in one go, and then nothing is left to do', async () => {
  const limits = file('limits.json', { riskRules: { maxOrderSize: 80, maxPositionSize: 150 } });
  const before = await rules();
  const planned = await plan(limits);
  expect(planned).toMatchObject({ changes: 1, steps: [] });
  expect(planned.settings).toEqual([
    {
      file: limits,
      subject: 'risk rules',
      action: 'change',
      differences: ['~ maxOrderSize: 100 -> 80', '~ maxPositionSize: null -> 150'],
    },
  ]);
  expect(await rules()).toEqual(before);
  expect((await command(['apply', limits, '--yes'])).exit).toBe(EXIT.done);
  expect(await rules()).toEqual({ ...before, maxOrderSize: 80, maxPositionSize: 150 });
  expect(await plan(limits)).toMatchObject({ changes: 0, settings: [{ action: 'nothing' }] });
  const off = file('off.json', { riskRules: { maxPositionSize: null } });
  await command(['apply', off, '--yes']);
  expect(await rules()).toEqual({ ...before, maxOrderSize: 80 });
});

test('a plan does not hold for rules that have changed since, nor for another file', async () => {
  const limits = file('limits.json', { riskRules: { maxOrderSize: 80 } });
  const { plan: hash } = await plan(limits);
  await account.http('PUT', '/api/risk-rules', { maxDailyLoss: 10 });
  const late = await command(['apply', limits, '--plan', hash, '--yes']);
  expect([late.exit, late.err]).toEqual([EXIT.refused, expect.stringContaining('have changed')]);
  expect(await rules()).toMatchObject({ maxOrderSize: 100 });
  const { plan: next } = await plan(limits);
  file('limits.json', { riskRules: { maxOrderSize: 90 } });
  expect((await command(['apply', limits, '--plan', next, '--yes'])).exit).toBe(EXIT.refused);
});

test('a channel is made once, by its label, with an address from the environment; its switches follow the file', async () => {
  const desk = file('desk.json', { channels: [DESK] });
  const made = await command(['apply', desk, '--yes'], { DESK_URL });
  expect(made).toMatchObject({
    exit: EXIT.done,
    err: '',
    out: expect.stringContaining('its secret is not shown here'),
  });
  expect(made.out).not.toMatch(/whsec_|93\.184/);
  const [first] = await channels();
  expect(first).toMatchObject({ label: 'Desk', state: 'on', switches: { 'order.filled': 'off' } });

  const again = await command(['apply', desk, '--yes'], { DESK_URL });
  expect(again.out).toContain('nothing  channel Desk');
  const changed = file('desk.json', {
    channels: [{ ...DESK, on: false, switches: { 'order.filled': 'always' }, quietHours: null }],
  });
  const text = (await command(['plan', changed], { DESK_URL })).out;
  for (const line of ['~ on: true -> false', '~ order.filled: "off" -> "always"', '-> null'])
    expect(text).toContain(line);
  expect((await command(['apply', changed, '--yes'], { DESK_URL })).exit).toBe(EXIT.done);
  expect(await channels()).toMatchObject([
    { id: first?.id, state: 'off', switches: { 'order.filled': 'always' }, quietHours: null },
  ]);
  expect((await command(['plan', changed, '--json'], { DESK_URL })).out).toContain('"changes":0');
});

test('the secret of a new webhook is shown on a terminal only', async () => {
  const desk = file('desk.json', { channels: [{ ...DESK, on: false }] });
  expect((await command(['apply', desk], { DESK_URL }, async () => 'y')).out).toMatch(
    /channel Desk {2}whsec_/,
  );
  expect(await channels()).toMatchObject([{ label: 'Desk', state: 'off' }]);
});

test('limits are applied before strategies, in one plan', async () => {
  const limits = file('limits.json', { riskRules: { maxOrderSize: 80 } });
  const strategy = file('one.json', {
    nodes: [{ id: 'one', type: 'constant', data: { config: { value: 1 } } }],
    edges: [],
  });
  const { out, exit } = await command(['apply', strategy, limits, '--yes', '--json']);
  expect([exit, JSON.parse(out)]).toMatchObject([
    EXIT.done,
    { changes: 2, applied: [{ subject: 'risk rules' }, { status: 'running', name: 'one' }] },
  ]);
});

test.each<[string, object, string]>([
  [
    'an unknown rule',
    { riskRules: { maxOrder: 1 } },
    'there is no risk rule "maxOrder". Known: maxOrderSize',
  ],
  ['rules that are a list', { riskRules: [] }, '"riskRules" is no object'],
  ['channels that are an object', { channels: {} }, '"channels" is no list'],
  ['a channel without a label', { channels: [{ kind: 'webhook' }] }, 'needs a "label"'],
  ['two channels of one label', { channels: [DESK, DESK] }, 'two channels “Desk”'],
  ['a limit below 0', { riskRules: { maxOrderSize: -1 } }, '"maxOrderSize" takes a number from 0, not -1'],
  ['null for one of the six', { riskRules: { maxOrderSize: null } }, 'not null'],
  ['a misspelt field', { channels: [{ ...DESK, quiethours: null }] }, 'has no "quiethours"'],
  ['a word in place of true', { channels: [{ ...DESK, on: 'yes' }] }, '"on" takes true or false'],
  ['a secret as a label', { channels: [{ ...DESK, label: { env: 'DESK_URL' } }] }, 'needs a "label"'],
  ['no variable', { channels: [{ ...DESK, url: { env: 'toString' } }] }, 'which is not set'],
  ['something else beside them', { riskRules: {}, limits: {} }, 'holds "limits" beside'],
])('%s is refused, and nothing is changed', async (_what, content, message) => {
  const before = await rules();
  const refused = await command(['apply', file('settings.json', content), '--yes'], { DESK_URL });
  expect([refused.exit, refused.err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  expect([await rules(), await channels()]).toEqual([before, []]);
});

test('a variable that is not set, and a value that the service refuses, change nothing', async () => {
  const unset = await command(['apply', file('desk.json', { channels: [DESK] }), '--yes']);
  expect([unset.exit, unset.err]).toEqual([
    EXIT.usage,
    expect.stringContaining('DESK_URL, which is not set'),
  ]);
  const wrong = file('limits.json', { riskRules: { maxOpenPositions: 1.5 } });
  const refused = await command(['apply', wrong, '--yes']);
  expect([refused.exit, refused.err]).toEqual([EXIT.refused, expect.stringContaining('maxOpenPositions')]);
  expect(await rules()).toMatchObject({ maxOrderSize: 100 });
});

test('a key without the scope for limits is refused, and a channel of another kind is not overwritten', async () => {
  await command(['apply', file('desk.json', { channels: [DESK] }), '--yes'], { DESK_URL });
  const slack = file('desk.json', { channels: [{ kind: 'slack', label: 'Desk', url: DESK_URL }] });
  expect((await command(['plan', slack])).err).toContain('is of kind webhook, not slack');
  account = await world.account('risk:read');
  const { exit, err } = await command([
    'apply',
    file('limits.json', { riskRules: { maxOrderSize: 1 } }),
    '--yes',
  ]);
  expect([exit, err]).toEqual([EXIT.refused, expect.stringContaining('risk:write')]);
});
