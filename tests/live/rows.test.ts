/** What venues do to a running service that trades with real money, at simulated venues: rows by their numbers, in one world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { updateRules } from '../../engine/risk-rules/rules.ts';
import { Complaints } from '../../venues/complaints.ts';
import { type DemoMember, newDemoMember } from '../../venues/demo-members.ts';
import { openBroker } from '../../venues/open-broker.ts';
import type { Order } from '../../venues/simulator/trading/orders.ts';
import { PolymarketTrading } from '../../venues/simulator/trading/polymarket/index.ts';
import { expectOk } from '../support/api.ts';
import { LOOSE } from '../support/desk.ts';
import {
  connect,
  connectReady,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  orderOf,
  propose,
  readConnection,
  until,
  untilState,
  untilStatus,
} from '../support/live.ts';
import type { World } from '../support/world.ts';

const DESKS: Readonly<Record<Venue, string>> = { 'venue-a': 'kalshi', 'venue-b': 'clob', crypto: 'binance' };
const SLUG = 'will-elon-musk-visit-mars-before-august-2099';
const HOUR_MS = 3_600_000;

let world: World;
let wishes: Readonly<Record<Venue, { tokenId: string; amount: string; limitPrice: string }>>;
beforeAll(async () => {
  world = await openLiveWorld();
  const { markets } = await world.market.at('venue-b').slug(SLUG, 'markets');
  const tokenId = markets.find(({ slug }) => slug === SLUG)?.outcomes[0]?.tokenId ?? '';
  wishes = {
    'venue-a': { tokenId: 'KXELONMARS-99:yes', amount: '10', limitPrice: '0.01' },
    'venue-b': { tokenId, amount: '200', limitPrice: '0.01' },
    crypto: { tokenId: 'BTCUSDT', amount: '0.001', limitPrice: '20000' },
  };
});
afterAll(() => world.close());

type Traded = {
  readonly venue: Venue;
  readonly trader: LiveTrader;
  readonly id: string;
  readonly member: DemoMember;
};

/** An account that needs nobody's yes, connected to one venue. */
async function trading(venue: Venue): Promise<Traded> {
  const trader = await openLiveTrader(world);
  await updateRules(trader.work, LOOSE);
  const member = newDemoMember(venue);
  const { id } = await connectReady(world, trader, venue, member);
  return { venue, trader, id, member };
}

function deskOf(venue: Venue) {
  const desk = world.market.simulator?.desks.get(DESKS[venue]);
  if (desk === undefined) throw new Error(`${venue} is not traded at`);
  return desk;
}

const clearingOfB = () => {
  const { venue } = deskOf('venue-b');
  if (!(venue instanceof PolymarketTrading)) throw new Error('venue B is another');
  return venue.clearing;
};

const bid = ({ trader, venue }: Traded) => propose(world, trader, wishes[venue]);

/** An order that rests, and the venue's own view of it. */
async function rest(traded: Traded): Promise<{ id: string; there: Order }> {
  const { id } = await bid(traded);
  const { venue_order_id } = await untilStatus(world, id, 'open');
  const there = deskOf(traded.venue).venue.exchange.orders.get(venue_order_id ?? '');
  if (there === undefined) throw new Error(`order ${id} is not there`);
  return { id, there };
}

/** Asks for a check, and waits until the connection is so. */
async function checked({ trader, id }: Traded, state: string, code: string | null) {
  expectOk(await trader.send('POST', `/api/venue-connections/${id}/check`));
  return until(
    () => readConnection(trader, id),
    (connection) => connection.state === state && connection.stateCode === code,
  );
}

const cancel = ({ trader }: Traded, id: string) => trader.call('orders.cancel', { id });
const rowIn = (connection: Awaited<ReturnType<typeof readConnection>>, name: string) =>
  connection.checks.find((check) => check.name === name);

describe('a venue that takes nothing new', () => {
  test.each([
    ['row 54', 'venue-a'],
    ['row 59', 'venue-b'],
  ] as const)(
    '%s: %s pauses: entries are denied, cancels work, and it goes on by itself',
    async (_, venue) => {
      const traded = await trading(venue);
      const { exchange } = deskOf(venue).venue;
      const { id } = await rest(traded);
      exchange.pause = 'trading';
      try {
        // Refused once, or checked: whichever comes first.
        await bid(traded);
        await until(
          () => readConnection(traded.trader, traded.id),
          ({ state, stateCode }) => state === 'reduce_only' && stateCode !== null,
        );
        expect((await bid(traded)).status).toBe('denied');
        expectOk(await cancel(traded, id));
        await untilStatus(world, id, 'canceled');
      } finally {
        exchange.pause = null;
      }
    },
  );

  test('row 60: a symbol of crypto lets orders only be canceled: entries are refused for certain, and stop after the third', async () => {
    const traded = await trading('crypto');
    const { exchange } = deskOf('crypto').venue;
    const { id } = await rest(traded);
    exchange.pause = 'trading';
    try {
      for (let refused = 0; refused < 3; refused += 1)
        await untilStatus(world, (await bid(traded)).id, 'rejected');
      await untilState(traded.trader, traded.id, 'reduce_only');
      expect((await bid(traded)).status).toBe('denied');
      expectOk(await cancel(traded, id));
      await untilStatus(world, id, 'canceled');
    } finally {
      exchange.pause = null;
    }
  });

  test('row 55: venue A stops and ends what rests: it is canceled here, and nothing is sent again', async () => {
    const traded = await trading('venue-a');
    const { exchange } = deskOf('venue-a').venue;
    const { id, there } = await rest(traded);
    exchange.cancel(there, 'paused');
    await untilStatus(world, id, 'canceled');
    const ours = [...exchange.orders.values()].filter(({ clientOrderId }) => clientOrderId === id);
    expect(ours).toHaveLength(1);
  });

  test('row 58: venue B restarts: the refusal is definite, entries rest, and what rests can be canceled', async () => {
    const traded = await trading('venue-b');
    const { id } = await rest(traded);
    deskOf('venue-b').faults.add({
      method: 'POST',
      path: 'order',
      isProcessed: false,
      answer: { status: 425, body: { error: 'service is restarting' } },
    });
    const refused = await bid(traded);
    await untilStatus(world, refused.id, 'rejected');
    expect(await orderOf(world, refused.id)).toMatchObject({ reason_code: 'venue_restarting' });
    await untilState(traded.trader, traded.id, 'reduce_only');
    expect((await bid(traded)).status).toBe('denied');
    expectOk(await cancel(traded, id));
    await untilStatus(world, id, 'canceled');
  });
});

describe('a venue that lets this account, or this region, do less', () => {
  test('row 51: venue B blocks the region: entries stop, and nothing is ready there', async () => {
    const traded = await trading('venue-b');
    clearingOfB().isBlocked = true;
    try {
      await checked(traded, 'reduce_only', 'check_permissions');
      expect((await bid(traded)).status).toBe('denied');
    } finally {
      clearingOfB().isBlocked = false;
    }
    await checked(traded, 'ready', null);
  });

  test('row 51: venue B lets the account only reduce: entries are denied, and the reason is said', async () => {
    const traded = await trading('venue-b');
    clearingOfB().closedOnly.add(traded.member.account.id.toLowerCase());
    await checked(traded, 'reduce_only', 'close_only');
    expect((await bid(traded)).status).toBe('denied');
  });

  test('row 49: the attestation of a region ends at venue A: warned of a week before, entries denied afterwards', async () => {
    const traded = await trading('venue-a');
    const { exchange } = deskOf('venue-a').venue;
    const attested = (untilMs: number) =>
      exchange.accounts.get(traded.member.account.id)?.keys.set(traded.member.key.id, {
        ...traded.member.key,
        expiresMs: null,
        tags: { regionExpiresSec: String(Math.floor(untilMs / 1_000)) },
      });
    attested(Date.now() + 20 * HOUR_MS);
    const warned = await until(
      () => checked(traded, 'ready', null),
      (connection) => rowIn(connection, 'region')?.state === 'grey',
    );
    expect(rowIn(warned, 'region')?.reason).toContain('ends in 1 days');
    attested(Date.now() - HOUR_MS);
    await checked(traded, 'reduce_only', 'check_region');
    expect((await bid(traded)).status).toBe('denied');
  });

  test('row 50: a session key that ends tonight is warned of, and expired when it has ended', async () => {
    const traded = await trading('venue-b');
    const { keys } = deskOf('venue-b').venue.exchange.accounts.get(traded.member.account.id) ?? {};
    const endsAt = (expiresMs: number) =>
      keys?.set(traded.member.key.id, { ...traded.member.key, expiresMs });
    endsAt(Date.now() + 20 * HOUR_MS);
    const warned = await until(
      () => checked(traded, 'ready', null),
      (connection) => rowIn(connection, 'key_expiry')?.state === 'grey',
    );
    expect(rowIn(warned, 'key_expiry')?.reason).toContain('ends in 1 days');
    // Long enough for the venue to state it before it has passed.
    endsAt(Date.now() + 4_000);
    expectOk(await traded.trader.send('POST', `/api/venue-connections/${traded.id}/check`));
    await untilState(traded.trader, traded.id, 'expired');
    expect((await bid(traded)).status).toBe('denied');
  });
});

describe('clocks', () => {
  test.each(VENUE_IDS)(
    'row 40: the clock of %s is three seconds ahead: no entries until it is right again',
    async (venue) => {
      const traded = await trading(venue);
      const { exchange } = deskOf(venue).venue;
      exchange.offsetMs = 3_000;
      try {
        await checked(traded, 'reduce_only', 'check_clock');
        expect((await bid(traded)).status).toBe('denied');
      } finally {
        exchange.offsetMs = 0;
      }
      await checked(traded, 'ready', null);
    },
  );

  test('row 41: a venue that does not tell the time: said in the check, which nothing is proven by', async () => {
    const traded = await trading('venue-a');
    deskOf('venue-a').faults.add({ method: 'GET', path: 'trade-api/v2/exchange', times: 3, date: 'absent' });
    const seen = await until(
      () => checked(traded, 'ready', null),
      (connection) => rowIn(connection, 'clock')?.state === 'grey',
    );
    expect(rowIn(seen, 'clock')?.reason).toBe('The venue does not tell the time.');
  });
});

describe('what is wrong is told apart', () => {
  test('row 107: a secret that is not that of the key, from a key nobody knows', async () => {
    const trader = await openLiveTrader(world);
    const member = newDemoMember('crypto');
    const credentials = { ...member.credentials, secret: 'f'.repeat(64) };
    const { id } = await connect(world, trader, 'crypto', { ...member, credentials });
    const refused = await until(
      () => readConnection(trader, id),
      ({ stateCode }) => stateCode === 'credentials_not_accepted',
    );
    expect(rowIn(refused, 'signed_read')?.value).toContain('does not accept the signature');
  });

  test('row 40: a clock that is a minute off, from a key that is refused: entries stop, nothing is halted', async () => {
    const traded = await trading('venue-a');
    const { exchange } = deskOf('venue-a').venue;
    exchange.offsetMs = 70_000;
    try {
      const stopped = await checked(traded, 'reduce_only', 'check_clock');
      expect(rowIn(stopped, 'signed_read')?.reason).toContain('the time that requests are signed for');
    } finally {
      exchange.offsetMs = 0;
    }
    await checked(traded, 'ready', null);
  });
});

test.each(VENUE_IDS)(
  'rows 79, 81: the stream of %s tells nothing while an order fills: the lists tell, and entries wait for them',
  async (venue) => {
    const traded = await trading(venue);
    const { id, there } = await rest(traded);
    const desk = deskOf(venue);
    desk.streams.disturb('gap');
    desk.venue.exchange.hit(there, there.amount);
    desk.streams.disturb(null);
    desk.streams.cut();
    await untilStatus(world, id, 'filled');
    const after = await bid(traded);
    expect(after.status).toBe('queued');
    await untilStatus(world, after.id, 'open');
  },
);

test('row 95: venue B hears nothing for too long and ends everything: the books are compared before anything enters', async () => {
  const traded = await trading('venue-b');
  const { id, there } = await rest(traded);
  const comparedAt = async () => {
    const row = world.db.selectFrom('venue_connection').select('reconciled_at').where('id', '=', traded.id);
    return new Date((await row.executeTakeFirstOrThrow()).reconciled_at ?? 0).getTime();
  };
  const desk = deskOf('venue-b');
  const nowMs = async () => (await world.market.simulator?.clock.now()) ?? 0;
  const cutAtMs = await nowMs();
  desk.faults.add({ method: 'POST', path: 'v1/heartbeats', isProcessed: false, answer: 'cut', times: 1_000 });
  clearingOfB().exchange.cancel(there, 'heartbeat');
  await untilStatus(world, id, 'canceled');
  await until(nowMs, (atMs) => atMs > cutAtMs + 2_000);
  const clearedAtMs = await nowMs();
  desk.faults.clear();
  await until(comparedAt, (atMs) => atMs >= clearedAtMs);
  await untilState(traded.trader, traded.id, 'ready');
  const after = await bid(traded);
  await untilStatus(world, after.id, 'open');
});

test('row 96: somebody else gives signs of life with the same key: that is told, and nothing enters until it ends', async () => {
  const traded = await trading('venue-b');
  const { simulator, simulatorUrl } = world.market;
  const other = openBroker('venue-b', Buffer.from(JSON.stringify(traded.member.credentials)), {
    environment: 'demo',
    simulatorUrl,
    clock: simulator?.clock ?? expect.unreachable(),
    feesOf: async () => null,
    complaints: new Complaints(null),
  });
  const contest = setInterval(() => void other.beat?.().catch(() => {}), 200);
  try {
    await until(
      () => readConnection(traded.trader, traded.id),
      ({ state, stateCode }) => state === 'reduce_only' && stateCode === 'heartbeat_contested',
    );
    expect((await bid(traded)).status).toBe('denied');
  } finally {
    clearInterval(contest);
  }
});

test('rows 95, 96: of two processes one alone listens to venue B and gives signs of life', async () => {
  const traded = await trading('venue-b');
  const { there } = await rest(traded);
  const second = await world.another();
  try {
    const after = await bid(traded);
    await untilStatus(world, after.id, 'open');
    const streams = deskOf('venue-b').streams.clients();
    const own = streams.filter(({ account }) => account?.id === there.account?.id);
    expect(own).toHaveLength(1);
  } finally {
    await second.stop();
  }
});
