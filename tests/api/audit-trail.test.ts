import { expect, test } from 'vitest';
import { bearer } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const clientOf = (headers: Record<string, string>) => trpcClient(world, headers);

test('the audit trail comes in pages without a gap, and to a session only', async () => {
  const { cookie } = await world.signUp();
  const client = clientOf({ cookie, origin: ORIGIN });
  for (const maxOrderSize of [10, 20, 30, 40, 50]) await client.riskRules.update.mutate({ maxOrderSize });
  const all = await client.audit.list.query({});
  const actions = ['user.signed_up', 'session.started', ...Array(5).fill('risk_rules.changed')];
  expect(all.map(({ action }) => action)).toEqual(actions.reverse());
  const first = await client.console.activity.query({ limit: 2 });
  const last = first.at(-1);
  if (!last) throw new Error('The first page is empty.');
  const rest = await client.console.activity.query({ before: { at: last.at, id: last.id } });
  expect([...first, ...rest]).toEqual(all);
  const { key } = await world.account();
  await expect(clientOf(bearer(key)).console.activity.query({})).rejects.toMatchObject({
    data: { error: { code: 'session_required' } },
  });
});

test('the head of the ledger moves with each row of the audit trail, and is read by a session only', async () => {
  const { cookie } = await world.signUp();
  const client = clientOf({ cookie, origin: ORIGIN });
  const before = await client.audit.head.query({});
  await client.riskRules.update.mutate({ maxOrderSize: 10 });
  const after = await client.audit.head.query({});
  expect(after.number).toBe(before.number + 1);
  expect(after.hash).not.toBe(before.hash);
  const { key } = await world.account();
  await expect(clientOf(bearer(key)).audit.head.query({})).rejects.toMatchObject({
    data: { error: { code: 'session_required' } },
  });
});
