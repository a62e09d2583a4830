import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { messageOf } from '../../engine/usecases/signals/message.ts';
import { receiveSignal } from '../../engine/usecases/signals/receive.ts';
import { createSignal } from '../../engine/usecases/signals/signals.ts';
import { openedForEachTest } from '../support/opened.ts';
import { type Nodes, openRunnerWorld } from './support.ts';

const world = openedForEachTest(openRunnerWorld);

const buyOnSignal = (): Nodes => ({
  alert: { type: 'signal', config: { name: 'tv', kind: 'arrival' } },
  amount: { type: 'constant', config: { value: 1 } },
  buy: {
    type: 'order',
    config: { instrument: 'BTCUSDT', side: 'buy', type: 'market' },
    inputs: { when: 'alert', amount: 'amount' },
  },
});

test('a value that arrives is acted on at the next tick, once, and by no other account', async () => {
  const deployed = await world.deploy(buyOnSignal());
  const other = await world.deploy(buyOnSignal());
  const work = world.workOf(deployed.accountId);
  await createSignal(work, 'tv');
  await createSignal(world.workOf(other.accountId), 'tv');
  const runner = world.runner();
  await world.price('100');
  await runner.tick();
  expect(await world.orders(deployed)).toEqual([]);

  await receiveSignal(work, 'tv', messageOf(1, 'a', ''));
  await world.price('100');
  await runner.tick();
  await runner.tick();
  await expect.poll(() => world.orders(deployed)).toHaveLength(1);
  expect(await world.orders(other)).toEqual([]);
});

test('a value dated ahead of the database is not acted on', async () => {
  const deployed = await world.deploy(buyOnSignal());
  const work = world.workOf(deployed.accountId);
  await createSignal(work, 'tv');
  const runner = world.runner();
  await world.price('100');
  await runner.tick();

  await receiveSignal(work, 'tv', messageOf(1, 'a', ''));
  await sql`update signal set last_at = last_at + interval '1 hour'`.execute(work.db);
  await world.price('100');
  await runner.tick();
  await runner.tick();
  expect(await world.orders(deployed)).toEqual([]);
});
