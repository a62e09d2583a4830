/** Behaviour of venues towards a running service that trades live, at simulated venues: numbered rows, in one world. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { PolymarketTrading } from '../../simulator/trading/polymarket/index.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import { openBroker } from '../../venues/open-broker.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';
import {
  connect,
  openLiveTrader,
  readConnection,
  waitForState,
  waitForStatus,
  waitUntil,
} from '../support/live.ts';
import { checkRow, openLiveRows } from '../support/live-rows.ts';
import { openedForFile } from '../support/opened.ts';

const rows = openedForFile(openLiveRows);

const clearingOfB = () => {
  const { venue } = rows.venueServerOf('venue-b');
  if (!(venue instanceof PolymarketTrading)) throw new Error('venue B is another');
  return venue.clearing;
};

describe('a venue that restricts this account, or this region', () => {
  test('row 51: venue B blocks the region: entries stop, and nothing is ready there', async () => {
    const traded = await rows.trading('venue-b');
    clearingOfB().isBlocked = true;
    try {
      await rows.checked(traded, 'reduce_only', 'check_permissions');
      expect((await rows.bid(traded)).status).toBe('denied');
    } finally {
      clearingOfB().isBlocked = false;
    }
    await rows.checked(traded, 'ready', null);
  });
});

describe('clocks', () => {
  test.each(VENUE_IDS)(
    'row 40: the clock of %s is three seconds ahead: no entries until it is right again',
    async (venue) => {
      const traded = await rows.trading(venue);
      const { exchange } = rows.venueServerOf(venue).venue;
      exchange.offsetMs = 3_000;
      try {
        await rows.checked(traded, 'reduce_only', 'check_clock');
        expect((await rows.bid(traded)).status).toBe('denied');
      } finally {
        exchange.offsetMs = 0;
      }
      await rows.checked(traded, 'ready', null);
    },
  );
});

describe('causes of a failed check are distinguished', () => {
  test('row 107: a secret that does not match its key differs from an unknown key', async () => {
    const trader = await openLiveTrader(rows.world);
    const member = createDemoAccount('crypto');
    const credentials = { ...member.credentials, secret: 'f'.repeat(64) };
    const { id } = await connect(rows.world, trader, 'crypto', { ...member, credentials });
    const refused = await waitUntil(
      () => readConnection(trader, id),
      ({ stateCode }) => stateCode === 'credentials_not_accepted',
    );
    expect(checkRow(refused, 'signed_read')?.value).toContain('does not accept the signature');
  });

  test('row 40: a clock that is a minute off differs from a refused key: entries stop, nothing is halted', async () => {
    const traded = await rows.trading('venue-a');
    const { exchange } = rows.venueServerOf('venue-a').venue;
    exchange.offsetMs = 70_000;
    try {
      const stopped = await rows.checked(traded, 'reduce_only', 'check_clock');
      expect(checkRow(stopped, 'signed_read')?.reason).toContain('the time that requests are signed for');
    } finally {
      exchange.offsetMs = 0;
    }
    await rows.checked(traded, 'ready', null);
  });
});

test.each(VENUE_IDS)(
  'rows 79, 81: the stream of %s tells nothing while an order fills: the lists tell, and entries wait for them',
  { tags: ['long'] },
  async (venue) => {
    const traded = await rows.trading(venue);
    const { id, there } = await rows.rest(traded);
    const venueServer = rows.venueServerOf(venue);
    venueServer.streams.disturb('gap');
    venueServer.venue.exchange.fillResting(there, there.amount);
    venueServer.streams.disturb(null);
    venueServer.streams.cut();
    await waitForStatus(rows.world, id, 'filled');
    const after = await rows.bid(traded);
    expect(after.status).toBe('queued');
    await waitForStatus(rows.world, after.id, 'open');
  },
);

test('row 88: an order without a client order id, placed in the venue’s app, is shown as another owner’s, is left alone, and blocks nothing', async () => {
  const traded = await rows.trading('crypto');
  const { there } = await rows.rest(traded);
  const { streams, venue } = rows.venueServerOf('crypto');
  const foreign = venue.exchange.place({
    account: there.account,
    clientOrderId: '',
    instrument: 'BTCUSDT',
    side: 'buy',
    price: new Decimal('21000'),
    amount: new Decimal('0.002'),
    timeInForce: 'GTC',
  });
  // Everything that a gap may have hidden is listed at once.
  streams.cut();
  const readDifferences = () =>
    rows.world.db
      .selectFrom('venue_difference')
      .select(['subject', 'kind', 'worth', 'state'])
      .where('connection_id', '=', traded.id)
      .where('state', '=', 'open')
      .execute();
  const [difference] = await waitUntil(readDifferences, (differences) => differences.length > 0);
  expect(difference).toEqual({
    subject: `order:${foreign.id}`,
    kind: 'external_order',
    worth: '42.000000000000',
    state: 'open',
  });
  await waitForStatus(rows.world, (await rows.bid(traded)).id, 'open');
  expect(await readConnection(traded.trader, traded.id)).toMatchObject({ state: 'ready' });
  expect(venue.exchange.openOrders(there.account as NonNullable<typeof there.account>)).toContain(foreign);
});

test('row 95: venue B gets no heartbeat for too long and ends everything: the books are reconciled before any entry', {
  tags: ['long'],
}, async () => {
  const traded = await rows.trading('venue-b');
  const { id, there } = await rows.rest(traded);
  const comparedAt = async () => {
    const row = rows.world.db
      .selectFrom('venue_connection')
      .select('reconciled_at')
      .where('id', '=', traded.id);
    return new Date((await row.executeTakeFirstOrThrow()).reconciled_at ?? 0).getTime();
  };
  const venueServer = rows.venueServerOf('venue-b');
  const nowMs = async () => (await rows.world.market.simulator?.clock.now()) ?? 0;
  const cutAtMs = await nowMs();
  venueServer.faults.add({
    method: 'POST',
    path: 'v1/heartbeats',
    isProcessed: false,
    answer: 'cut',
    times: 1_000,
  });
  clearingOfB().exchange.cancel(there, 'heartbeat');
  await waitForStatus(rows.world, id, 'canceled');
  await waitUntil(nowMs, (atMs) => atMs > cutAtMs + 2_000);
  const clearedAtMs = await nowMs();
  venueServer.faults.clear();
  await waitUntil(comparedAt, (atMs) => atMs >= clearedAtMs);
  await waitForState(traded.trader, traded.id, 'ready');
  const after = await rows.bid(traded);
  await waitForStatus(rows.world, after.id, 'open');
});

test('row 96: another program sends heartbeats with the same key: this is reported, and entries are blocked until it ends', {
  tags: ['long'],
}, async () => {
  const traded = await rows.trading('venue-b');
  const { simulator, simulatorUrl } = rows.world.market;
  const other = openBroker('venue-b', Buffer.from(JSON.stringify(traded.member.credentials)), {
    environment: 'demo',
    simulatorUrl,
    clock: simulator?.clock ?? expect.unreachable(),
    feesOf: async () => null,
    parseErrors: new ParseErrorLog(null),
  });
  const contest = setInterval(() => void other.sendHeartbeat?.().catch(() => {}), 200);
  try {
    await waitUntil(
      () => readConnection(traded.trader, traded.id),
      ({ state, stateCode }) => state === 'reduce_only' && stateCode === 'heartbeat_contested',
    );
    expect((await rows.bid(traded)).status).toBe('denied');
  } finally {
    clearInterval(contest);
  }
});

test('rows 95, 96: of two processes only one listens to venue B and sends heartbeats', async () => {
  const traded = await rows.trading('venue-b');
  const { there } = await rows.rest(traded);
  const second = await rows.world.another();
  try {
    const after = await rows.bid(traded);
    await waitForStatus(rows.world, after.id, 'open');
    const streams = rows.venueServerOf('venue-b').streams.clients();
    const own = streams.filter(({ account }) => account?.id === there.account?.id);
    expect(own).toHaveLength(1);
  } finally {
    await second.stop();
  }
});
