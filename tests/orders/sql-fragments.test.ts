import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderStatus } from '../../db/entities/order.ts';
import { type Pool, systemDb } from '../../db/pool.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { momentInSql, numberInSql, objectInSql } from '../../engine/platform/json-in-sql.ts';
import { LIVE_STATUSES, statusAt } from '../../engine/platform/order-states.ts';
import {
  statusAtInSql,
  toMoneyInSql,
  unrealizedInSql,
  worthInSql,
} from '../../engine/platform/sql-fragments.ts';
import { unrealizedAt, valueAt } from '../../engine/platform/valuation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestPool } from '../support/pool.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openTestPool(database.connection);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

const units = (max: number, places: number) =>
  fc.nat({ max }).map((count) => exact(count).div(exact(10).pow(places)));
/** Any decimals, and those whose product ends in a half of the last stored decimal. */
const holding = fc.oneof(
  fc.record({ amount: units(2 ** 31, 6), price: units(2 ** 31, 12) }),
  fc.record({ amount: units(10_000, 6), price: units(10_000, 6).map((price) => price.plus('0.0000005')) }),
  fc.record({ amount: units(100_000, 12), price: fc.constant(exact('0.5')) }),
);
const position = fc.record({ holding, totalCost: units(2 ** 31, 12) });

test('value and unrealized result of a position are the same to the last digit in SQL and in TypeScript', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(position, { minLength: 100, maxLength: 300 }), async (positions) => {
      const rows = positions.map(({ holding, totalCost }) => ({
        amount: holding.amount.toFixed(),
        total_cost: totalCost.toFixed(),
        price: holding.price.toFixed(),
      }));
      const inSql = await sql<{ worth: string; unrealized: string }>`
        select ${worthInSql(sql`p.price`)} as worth, ${unrealizedInSql(sql`p.price`)} as unrealized
        from json_to_recordset(${JSON.stringify(rows)}) as p (amount numeric(38,12), total_cost numeric(38,12), price numeric(38,12))`.execute(
        systemDb(pool),
      );
      expect(
        inSql.rows.map(({ worth, unrealized }) => [exact(worth).toFixed(), exact(unrealized).toFixed()]),
      ).toEqual(
        positions.map(({ holding: { amount, price }, totalCost }) => [
          valueAt(amount, price).toFixed(),
          unrealizedAt({ amount, totalCost }, price).toFixed(),
        ]),
      );
    }),
    { numRuns: 30 },
  );
});

test('a half goes to the even digit, on both sides of zero', async () => {
  const halves = [
    '0.0000000000005',
    '0.0000000000015',
    '0.0000000000025',
    '-0.0000000000005',
    '-0.0000000000015',
  ];
  const { rows } = await sql<{ money: string }>`
    select ${toMoneyInSql(sql`value`)} as money
    from unnest(${halves}::numeric[]) with ordinality as given (value, place) order by place`.execute(
    systemDb(pool),
  );
  expect(rows.map(({ money }) => exact(money).toFixed())).toEqual([
    '0',
    '0.000000000002',
    '0.000000000002',
    '0',
    '-0.000000000002',
  ]);
});

test('the status that readers see is the same in SQL and in TypeScript', async () => {
  const now = new Date('2026-11-20T12:00:00.000Z');
  const statuses: OrderStatus[] = [...LIVE_STATUSES, 'filled', 'denied'];
  const ends = [null, '2026-11-20T11:59:59.999Z', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.001Z'];
  const orders = statuses.flatMap((status) => ends.map((expires_at) => ({ status, expires_at })));
  const { rows } = await sql<{ status: string }>`
    select ${statusAtInSql(now, 'o')} as status
    from json_to_recordset(${JSON.stringify(orders)}) as o (status text, expires_at timestamptz)`.execute(
    systemDb(pool),
  );
  expect(rows.map(({ status }) => status)).toEqual(orders.map((order) => statusAt(order, now)));
});

/** Decimals of the ledger's whole range, those of each size as often, also beside the bounds of an exponent. */
const stored = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.integer({ min: -8, max: 12 }))
    .map(([digits, places]) => exact(String(digits)).div(exact(10).pow(places)).toDecimalPlaces(12)),
  fc
    .constantFrom('0', '0.000001', '0.000000999999', '0.000000000001', '0.1', '100', '123456789.125')
    .map(exact),
  fc.constantFrom('999999999999999999999', '999999999999999900000', '1000000000000000000000').map(exact),
);
const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
/** From here on the shortest digits of a double are not always the same: PostgreSQL leaves out those halfway to the next one. */
const SPELLED_ALIKE_BELOW = 2 ** 52;

test('decimals and moments in JSON of the database are spelled as JSON.stringify spells them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(stored, moment), { minLength: 100, maxLength: 200 }),
      async (pairs) => {
        const rows = pairs.map(([amount, at]) => ({ amount: amount.toFixed(), at: at.toISOString() }));
        const { rows: written } = await sql<{ json: string }>`
        select ${objectInSql({ amount: numberInSql(sql`r.amount`), at: momentInSql(sql`r.at`) })} as json
        from json_to_recordset(${JSON.stringify(rows)}) as r (amount numeric(38,12), at timestamptz(3))`.execute(
          systemDb(pool),
        );
        const values = rows.map(({ amount, at }) => ({ amount: Number(amount), at }));
        expect(written.map(({ json }) => JSON.parse(json))).toEqual(values);
        const isAlike = (_: unknown, index: number) => (values[index]?.amount ?? 0) < SPELLED_ALIKE_BELOW;
        expect(written.map(({ json }) => json).filter(isAlike)).toEqual(
          values.map((value) => JSON.stringify(value)).filter(isAlike),
        );
      },
    ),
    { numRuns: 5 },
  );
});
