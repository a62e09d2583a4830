/** Deposits and withdrawals as each venue's own record shows them, and what no record shows. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { controlTrading } from '../../simulator/trading/control.ts';
import type { SimulatedVenueServer } from '../../simulator/trading/venue-server.ts';
import { PriceOverrides } from '../../simulator/world/price-overrides.ts';
import type { Broker } from '../../venues/broker.ts';
import { openExchange } from './support/binance-exchange.ts';
import { member } from './support/kalshi-trading.ts';
import { openMember } from './support/polymarket-member.ts';

type Venue = {
  simulatedVenue: SimulatedVenueServer;
  broker: Broker;
  account: string;
  asset: string;
  now: () => number;
};

/** Deposits 50, withdraws 20, and lets the venue take 7 without a record. */
async function recorded({ simulatedVenue, broker, account, asset, now }: Venue) {
  const since = new Date(now());
  const order = (what: string, amount: string) =>
    controlTrading(
      what,
      { venue: simulatedVenue.venue.name, account, asset, amount },
      new Map([[simulatedVenue.venue.name, simulatedVenue]]),
      new PriceOverrides(),
    );
  const known = new Set((await broker.transfers(since)).map(({ id }) => id));
  expect(order('transfers', '50').status).toBe(200);
  expect(order('transfers', '-20').status).toBe(200);
  expect(order('corrections', '-7').status).toBe(200);
  const found = (await broker.transfers(since)).filter(({ id }) => !known.has(id));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (const { at } of found) expect(at.getTime()).toBeGreaterThanOrEqual(since.getTime());
  expect(await broker.transfers(new Date(now() + 60_000))).toEqual([]);
  return found.map(({ currency, amount }) => [currency, new Decimal(amount).toNumber()]).sort();
}

describe('the record of transfers contains deposits and withdrawals, and no unexplained movement of the venue:', () => {
  test('venue A', async () => {
    await using venue = await member();
    const now = () => venue.simulator.clock.now();
    expect(await recorded({ ...venue, account: 'member', asset: 'USD/0', now })).toEqual([
      ['USD', -20],
      ['USD', 50],
    ]);
  });

  test('venue B', async () => {
    await using venue = await openMember();
    const { simulatedVenue, broker, account } = venue;
    const now = () => venue.simulator.clock.now();
    expect(await recorded({ simulatedVenue, broker, account: account.id, asset: 'pUSD', now })).toEqual([
      ['pUSD', -20],
      ['pUSD', 50],
    ]);
  });

  test('crypto, whose wallet is at the live host alone', async () => {
    await using venue = await openExchange();
    const { simulatedVenue, broker, account } = venue;
    const now = () => venue.simulator.clock.now();
    expect(await recorded({ simulatedVenue, broker, account: account.id, asset: 'USDT', now })).toEqual([
      ['USDT', -20],
      ['USDT', 50],
    ]);
    await using testnet = await openExchange({ environment: 'testnet' });
    expect(await testnet.broker.transfers(new Date(0))).toEqual([]);
  });
});

test('orders that a venue forgets appear in no read, as if there had never been any', async () => {
  await using venue = await openExchange();
  const { ref } = await venue.rest();
  const answer = controlTrading(
    'forget',
    { venue: 'binance', account: venue.account.id },
    new Map([['binance', venue.simulatedVenue]]),
    new PriceOverrides(),
  );
  expect(answer.body).toEqual({ forgotten: 1 });
  expect(await venue.broker.listOpen()).toEqual([]);
  expect(await venue.broker.find(ref)).toEqual({ kind: 'unsure' });
});
