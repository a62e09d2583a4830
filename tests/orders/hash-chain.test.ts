import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPool, systemDb } from '../../db/pool.ts';
import { findLostChainHeads, listChainHeads, parseChainHeads } from '../../engine/ledger/chain-heads.ts';
import { verifyHashChains } from '../../engine/ledger/hash-chain.ts';
import { walkBooks } from '../../engine/ledger/verify-ledger.ts';
import { audit } from '../../engine/platform/audit/audit.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { openedForFile } from '../support/opened.ts';
import { rechain } from '../support/rechain.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let trader: Trader;
beforeAll(async () => {
  await fixture.quote(YES);
  trader = await fixture.trader();
  await fixture.trade(trader, { amount: '12' }, { fee: '0.175' });
  await fixture.trade(trader, { amount: '5' }, { fee: '0.1' });
  await fixture.trade(trader, { side: 'sell', type: 'market', amount: '3' }, { price: '0.46' });
  await fixture.setRules(trader, { maxOrderSize: 6 });
  await fixture.setRules(trader, { maxOrderSize: 5 });
  for (const amount of ['100', '200', '300'])
    await proposeIntent(trader.work(), intentOf(trader, { amount }));
});

/** Returns the differences after a change past all triggers, which is undone then. */
async function foundAfter(...tampering: string[]): Promise<string[]> {
  const trx = await fixture.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of tampering) {
      const { numAffectedRows } = await sql.raw(statement).execute(trx);
      expect(Number(numAffectedRows), statement).toBeGreaterThan(0);
    }
    const found = await verifyHashChains(trx, [trader.accountId]);
    return found.map(({ subject, field }) => `${subject} ${field}`);
  } finally {
    await trx.rollback().execute();
  }
}

const one = (table: string, order = '') =>
  `ctid = (select ctid from ${table} where account_id = '${trader.accountId}' ${order} limit 1)`;
const altered = (table: string, set: string) => `update ${table} set ${set} where ${one(table)}`;
const last = (table: string, by: string) => `delete from ${table} where ${one(table, `order by ${by} desc`)}`;
const copied = (table: string, changed: string) => `insert into ${table}
  select (jsonb_populate_record(t, jsonb_build_object(${changed}))).* from ${table} t where ${one(table)}`;
const swapped = (table: string, column: string) => `update ${table} t set ${column} = o.${column}
  from (select distinct on (${column}) * from ${table} where account_id = '${trader.accountId}' order by ${column} limit 2) o
  where t.account_id = '${trader.accountId}' and t.${column} in (
      select distinct ${column} from ${table} where account_id = '${trader.accountId}' order by ${column} limit 2)
    and t.${column} <> o.${column}`;

describe('changes of immutable rows are found, even past all triggers', () => {
  test('nothing is found without a change', async () => {
    expect(await verifyHashChains(fixture.db, [trader.accountId])).toEqual([]);
  });

  test.each([
    [
      'fill',
      [
        () => altered('fill', `price = price + 0.000000000001`),
        () => altered('fill', `amount = amount + 1`),
        () => altered('fill', `fee = 0`),
        () => altered('fill', `at = at + interval '1 millisecond'`),
        () => altered('fill', `applied_at = applied_at - interval '1 millisecond'`),
        () => altered('fill', `venue_trade_id = 'other'`),
        () => altered('fill', `mode = 'live'`),
        () => altered('fill', `order_id = null`),
        () => swapped('fill', 'seq'),
        () => copied('fill', `'id', gen_random_uuid(), 'venue_trade_id', gen_random_uuid()`),
        () => last('fill', 'seq'),
      ],
    ],
    [
      'order_transition',
      [
        () => altered('order_transition', `actor = 'session:other'`),
        () => altered('order_transition', `at = at + interval '1 millisecond'`),
        () => altered('order_transition', `reason = 'another'`),
        () => altered('order_transition', `digest = repeat('0', 64)`),
        () => altered('order_transition', `digest = null`),
        () => altered('order_transition', `expires_at = now()`),
        () => altered('order_transition', `to_status = 'canceled'`),
        () => altered('order_transition', `number = 77`),
        () => swapped('order_transition', 'seq'),
        () => copied('order_transition', `'number', 78`),
        () => last('order_transition', `(to_status <> 'denied') desc, seq`),
      ],
    ],
    [
      'cash_entry',
      [
        () => altered('cash_entry', `amount = amount + 0.000000000001`),
        () => altered('cash_entry', `amount = -amount`),
        () => altered('cash_entry', `kind = 'transfer'`),
        () => altered('cash_entry', `at = at - interval '1 day'`),
        () => altered('cash_entry', `fill_id = gen_random_uuid()`),
        () => altered('cash_entry', `mode = 'live'`),
        () => altered('cash_entry', `seq = 1`),
        () => altered('cash_entry', `id = gen_random_uuid()`),
        () => copied('cash_entry', `'id', gen_random_uuid()`),
        () => last('cash_entry', 'at'),
      ],
    ],
    [
      'audit_event',
      [
        () => altered('audit_event', `actor = 'session:other'`),
        () => altered('audit_event', `action = 'user.left'`),
        () => altered('audit_event', `at = at + interval '1 millisecond'`),
        () => altered('audit_event', `before = null`),
        () => altered('audit_event', `after = '{}'`),
        () => altered('audit_event', `after = jsonb_set(after, '{nothing}', 'null')`),
        () => altered('audit_event', `subject_id = gen_random_uuid()`),
        () => altered('audit_event', `request_id = 'other'`),
        () => copied('audit_event', `'id', gen_random_uuid()`),
        () => last('audit_event', 'at'),
      ],
    ],
  ] as const)('%s', async (table, ways) => {
    expect(ways.length).toBeGreaterThanOrEqual(10);
    for (const way of ways) expect(await foundAfter(way()), way()).toContain(`${table} row`);
  });

  test('links and heads: altered, deleted, and a tail that was cut with its rows', async () => {
    const tail = `is_denial = false and number = (select number from ledger_head h where h.account_id = ledger_link.account_id and not h.is_denial)`;
    const ways: [string, string[]][] = [
      ['ledger_link hash', [altered('ledger_link', `hash = sha256('other')`)]],
      ['ledger_link hash', [altered('ledger_link', `at = at + interval '1 millisecond'`)]],
      ['ledger_link hash', [altered('ledger_link', `digests = array[sha256('other')]`)]],
      ['ledger_link number', [`delete from ledger_link where number = 2`]],
      ['ledger_head entries', [`delete from ledger_link where ${tail}`]],
      ['ledger_head entries', [last('audit_event', 'at'), `delete from ledger_link where ${tail}`]],
      ['ledger_head entries', [`update ledger_head set hash = sha256('other') where not is_denial`]],
      ['ledger_head denials', [`update ledger_head set number = number + 1 where is_denial`]],
      ['ledger_head entries', [`delete from ledger_head`]],
      ['ledger_link number', [`update ledger_link set number = number + 1000 where number = 3`]],
    ];
    for (const [expected, tampering] of ways)
      expect(await foundAfter(...tampering), tampering.join('; ')).toContain(expected);
  });

  test('rows from before their chain are chained as they are', async () => {
    const trx = await fixture.db.startTransaction().execute();
    try {
      await rechain(trx, trader.accountId);
      expect(await verifyHashChains(trx, [trader.accountId])).toEqual([]);
      await sql.raw(altered('fill', 'fee = 0')).execute(trx);
      expect(await verifyHashChains(trx, [trader.accountId])).not.toEqual([]);
    } finally {
      await trx.rollback().execute();
    }
  });

  test('a denied order is missed for a day, and may be deleted after that', async () => {
    const other = await fixture.trader({ maxOrderSize: 1 });
    await proposeIntent({ ...other.work(), clock: databaseClock }, intentOf(other, { amount: '100' }));
    const { rows } = await sql<{ number: string }>`select number from ledger_link
      where account_id = ${other.accountId} and is_denial`.execute(fixture.db);
    expect(rows).toEqual([{ number: '1' }]);
    const trx = await fixture.db.startTransaction().execute();
    try {
      const missed = async () => (await verifyHashChains(trx, [other.accountId])).map(({ field }) => field);
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from order_transition where account_id = ${other.accountId}`.execute(trx);
      expect(await missed()).toEqual(['row']);
      await sql`update ledger_link set at = at - interval '25 hours', hash = link_digest(subject, at - interval '25 hours', digests)
        where account_id = ${other.accountId} and is_denial`.execute(trx);
      await sql`update ledger_head h set hash = l.hash from ledger_link l
        where h.account_id = ${other.accountId} and h.is_denial and l.account_id = h.account_id and l.is_denial`.execute(
        trx,
      );
      expect(await missed()).toEqual([]);
    } finally {
      await trx.rollback().execute();
    }
  });

  test('a history that was rewritten with its links and its head differs from the head stored outside', async () => {
    const kept = parseChainHeads(await listChainHeads(fixture.db));
    await fixture.setRules(trader, { maxOrderSize: 7 });
    expect(await findLostChainHeads(fixture.db, kept)).toEqual([]);
    const trx = await fixture.db.startTransaction().execute();
    try {
      await sql`set local session_replication_role = replica`.execute(trx);
      for (const table of ['audit_event', 'ledger_link', 'ledger_head'])
        await sql`delete from ${sql.table(table)} where account_id = ${trader.accountId}`.execute(trx);
      await sql`set local session_replication_role = origin`.execute(trx);
      await audit(
        { ...trader.work(), db: trx },
        {
          action: 'risk_rules.changed',
          subjectId: null,
          before: null,
          after: null,
          at: fixture.now(),
        },
      );
      const found = (await findLostChainHeads(trx, kept)).map(({ accountId, field }) => ({
        accountId,
        field,
      }));
      expect(found).toEqual([
        {
          accountId: trader.accountId,
          field: `link ${kept.find(({ accountId }) => accountId === trader.accountId)?.number}`,
        },
      ]);
    } finally {
      await trx.rollback().execute();
    }
  });
});

test('a walk whose connection is cut returns it: its slot in the pool is free for the next', async () => {
  const pool = await openPool(fixture.database.owner, { poolMax: 1 });
  try {
    const walk = walkBooks(systemDb(pool), databaseClock, { accountId: trader.accountId, mode: 'paper' });
    await walk.next();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'idle in transaction' and datname = current_database() and usename = current_user
        and pid <> pg_backend_pid()`.execute(fixture.db);
    await walk.return(undefined);
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(systemDb(pool));
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.close();
  }
});
