import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transactInTurn } from '../../engine/platform/account-lock.ts';
import { systemWork } from '../../engine/platform/context.ts';
import { committedEvents } from '../../engine/platform/events/events.ts';
import { transact } from '../../engine/platform/transact.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { begun } from '../support/begun.ts';
import { openedForFile } from '../support/opened.ts';
import { openTestPool } from '../support/pool.ts';
import { openTradingFixture } from '../support/trading-fixture.ts';

const fixture = openedForFile(() => openTradingFixture({ poolMax: 2 }));

test('a connection that dies inside a transaction is not lost to the pool, and the error states the cause', async () => {
  const trader = await fixture.trader();
  for (let death = 0; death < 6; death++) {
    const dying = transact(trader.work(), (tx) =>
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.db),
    );
    await expect(dying).rejects.toMatchObject({ code: '57P01' });
  }
  expect(await transact(trader.work(), async () => 'alive')).toBe('alive');
});

test('a nested transaction is rolled back alone, and committed with the whole', async () => {
  const trader = await fixture.trader();
  const rename = (work: ReturnType<typeof trader.work>, name: string) =>
    work.db.updateTable('account').set({ name }).where('id', '=', trader.accountId).execute();
  const nameOf = async () =>
    (
      await fixture.db
        .selectFrom('account')
        .select('name')
        .where('id', '=', trader.accountId)
        .executeTakeFirstOrThrow()
    ).name;

  await transact(trader.work(), async (outer) => {
    await rename(outer, 'outer');
    await transact(outer, async (inner) => {
      await rename(inner, 'inner');
      throw new Error('undone');
    }).catch(() => {});
    await transact(outer, (inner) => transact(inner, (innermost) => rename(innermost, 'kept')));
  });
  expect(await nameOf()).toBe('kept');

  const failed = transact(trader.work(), async (outer) => {
    await transact(outer, (inner) => rename(inner, 'lost'));
    throw new Error('all of it');
  });
  await expect(failed).rejects.toThrow('all of it');
  expect(await nameOf()).toBe('kept');
});

test('two services in one process share neither locks nor announcements', async () => {
  const trader = await fixture.trader();
  await using opened = new AsyncDisposableStack();
  const other = await openTestPool(fixture.database.connection, { poolMax: 2 });
  opened.defer(() => other.close());
  const heard: string[] = [];
  for (const [name, pool] of [
    ['own', fixture.pool],
    ['other', other],
  ] as const) {
    const hear = () => void heard.push(name);
    committedEvents(pool).on('account', hear);
    opened.defer(() => void committedEvents(pool).off('account', hear));
  }
  const inOther = systemWork(other, { accountId: trader.accountId, mode: 'paper' });

  await updateRules(inOther, { maxOrderSize: '7' });
  expect(heard).toEqual(['other']);

  const turn = Promise.withResolvers<void>();
  const waiting = begun(transactInTurn(trader.work(), () => turn.promise));
  expect(await transactInTurn(inOther, async () => 'not held up')).toBe('not held up');
  turn.resolve();
  await waiting;
});
