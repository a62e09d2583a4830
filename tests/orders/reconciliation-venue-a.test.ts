/** A comparison through the real adapter with the simulated venue A: the books equal the venue's own, to the last digit. */
import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact, sumOf } from '../../engine/platform/decimal.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { reconcileConnection } from '../../engine/trading/reconciliation/reconcile.ts';
import { TICK_MS } from '../../simulator/index.ts';
import {
  addInstrument,
  intentOf,
  LIVE_SETTINGS,
  openTradingFixture,
  type Trader,
  type TradingFixture,
} from '../support/trading-fixture.ts';
import { MARS, type Member, member, NOON } from '../venues/support/kalshi-trading.ts';

/** The other outcome of another market: both sides of one market are netted there, and a buy of both is denied here. */
const [YES, NO] = [`${MARS}:yes`, 'KXFEDDECISION-26DEC-H0:no'];

let fixture: TradingFixture;
let venue: Member;
let trader: Trader;
let work: Work;
let connectionId: string;

beforeAll(async () => {
  [fixture, venue] = [await openTradingFixture(), await member()];
  fixture.wait(NOON - fixture.now().getTime());
  for (const tokenId of [YES, NO]) await addInstrument(fixture.db, tokenId);
  trader = await fixture.trader();
  await fixture.openLive(trader);
  ({ id: connectionId } = await fixture.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('venue', '=', 'venue-a')
    .executeTakeFirstOrThrow());
  await fixture.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update venue_connection set created_at = ${fixture.now()} where id = ${connectionId}`.execute(
      tx,
    );
  });
  work = { ...fixture.workOf(trader.accountId, 'system'), mode: 'live' };
});
afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  await fixture.close();
});

/** Advances both clocks together. */
function pass(ms: number): void {
  fixture.wait(ms);
  venue.simulator.clock.advance(Math.ceil(ms / TICK_MS));
}

const compare = () => reconcileConnection(work, connectionId, venue.broker, { pauseMs: 0 });

async function settled() {
  pass(31_000);
  return compare();
}

async function buy(tokenId: string, limitPrice: string): Promise<string> {
  await fixture.quote(tokenId, { bid: null, ask: null });
  const { id, reason } = await proposeIntent(work, intentOf(trader, { tokenId, limitPrice }), LIVE_SETTINGS);
  await sendOrder(work, { of: () => venue.broker }, id);
  expect([(await fixture.order(id)).status, reason]).toEqual(['open', reason]);
  return id;
}

const there = (id: string) => {
  const [order] = venue.ordersThere().filter(({ clientOrderId }) => clientOrderId === id);
  if (order === undefined) throw new Error(`The venue has no order ${id}.`);
  return order;
};

const open = () =>
  fixture.db
    .selectFrom('venue_difference')
    .select(['kind', 'subject', 'theirs'])
    .where('connection_id', '=', connectionId)
    .where('state', '=', 'open')
    .execute();

/** Cash of the connection's books. */
const cash = async (): Promise<string> => {
  const rows = await fixture.db
    .selectFrom('cash_entry')
    .select('amount')
    .where('connection_id', '=', connectionId)
    .execute();
  return sumOf(rows.map(({ amount }) => amount)).toFixed();
};

const cashThere = (): string =>
  exact(venue.account.holds('USD/0').plus(venue.account.holds('USD/2')).toFixed()).toFixed();

test('orders of both outcomes, missed fills, a withdrawal and an order by hand: the books equal the venue’s', async () => {
  await compare();
  expect(await cash()).toBe('1500');

  const [yes, no] = [await buy(YES, '0.01'), await buy(NO, '0.02')];
  venue.exchange.fillResting(there(yes), new Decimal(10));
  await settled();
  expect(
    (await listPositions(work)).map(({ tokenId, amount }) => [tokenId, exact(amount).toFixed()]),
  ).toEqual([[YES, '10']]);
  expect((await fixture.order(no)).status).toBe('open');
  await settled();
  expect(await open()).toEqual([]);
  expect(await cash()).toBe(cashThere());

  venue.exchange.transfer(venue.account, 'USD/0', new Decimal(-100));
  venue.exchange.place({
    account: venue.account,
    clientOrderId: '',
    instrument: MARS,
    side: 'buy',
    price: new Decimal('0.01'),
    amount: new Decimal(3),
    timeInForce: 'GTC',
    tags: {},
  });
  await settled();
  expect(await open()).toMatchObject([{ kind: 'external_order', theirs: '3.000000000000' }]);
  expect(await cash()).toBe(cashThere());
}, 60_000);
