/** Rights and signatures at venue B, its stream and its heartbeat, against the simulated venue. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OrderRef, VenueEvent } from '../../venues/broker.ts';
import { ApiCredentials } from '../../venues/polymarket/trading/auth.ts';
import { PolymarketBroker } from '../../venues/polymarket/trading/broker.ts';
import { listenToUserStream, type StreamMessage } from '../../venues/polymarket/trading/user-stream.ts';
import { credentialsOf, type Member, OTHER_KEY, openMember } from './support/polymarket-member.ts';
import { SIGNER } from './support/polymarket-trading.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

describe('row 45: an order is signed', () => {
  test.each([
    ['by a key of a session', credentialsOf()],
    ['by the owner of a deposit wallet', credentialsOf({ isSession: false })],
    [
      'by a key for its own account',
      credentialsOf({ signatureType: 0, wallet: SIGNER.address, isSession: false }),
    ],
  ])('%s, and the venue calls it as we did before', async (_, credentials) => {
    await using member = await openMember({ credentials });
    const { placed, prepared } = await member.place();
    expect(placed).toMatchObject({ kind: 'taken', order: { venueOrderId: prepared.venueOrderId } });
    expect([...member.exchange.orders.keys()]).toEqual([prepared.venueOrderId]);
  });

  test('on the exchange of an exclusive group as well', async () => {
    const market = 'which-party-wins-the-2028-us-presidential-election-democratic';
    await using member = await openMember({ market });
    expect(member.instrument.contract).toBe('neg_risk');
    const { placed } = await member.place();
    expect(placed).toMatchObject({ kind: 'taken' });
    const wrong = { ...member.instrument, contract: 'standard' };
    const order = member.orderOf();
    await expect(member.broker.place(order, member.prepare(order, wrong))).resolves.toMatchObject({
      kind: 'refused',
      code: 'invalid_signature',
    });
  });

  test('by another key: refused, and there is no order', async () => {
    await using member = await openMember();
    const stranger = member.brokerOf(credentialsOf({ signingKey: OTHER_KEY }));
    const order = member.orderOf();
    // The credentials belong to the right key, the signature to another.
    const placed = await stranger.place(order, member.prepare(order));
    expect(placed).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(member.exchange.orders.size).toBe(0);
  });

  test('by an owner who says it is a session, or the reverse: refused', async () => {
    await using member = await openMember({ credentials: credentialsOf({ isSession: false }) });
    const session = member.brokerOf(credentialsOf());
    const order = member.orderOf();
    expect(await session.place(order, member.prepare(order))).toMatchObject({ code: 'invalid_signature' });
  });

  test('in the demo only for the demo: where there is money its key must be of a session', async () => {
    await using member = await openMember();
    const options = {
      clock: member.simulator.clock,
      feesOf: async () => null,
      parseErrors: member.parseErrors,
    };
    const live = (changes: Parameters<typeof credentialsOf>[0]) => () =>
      new PolymarketBroker({ environment: 'live', credentials: credentialsOf(changes), ...options });
    expect(live({ isSession: false })).toThrow(/never the key of its owner/);
    expect(live({ signatureType: 0 })).toThrow(/never the key of its owner/);
    const broker = live({})();
    const order = member.orderOf();
    const prepared = broker.prepare(order, member.instrument, member.now());
    if (prepared.kind === 'refused') throw new Error(prepared.reason);
    expect(prepared.prepared.venueOrderId).not.toBe(member.prepare(order).venueOrderId);
    await expect(member.broker.place(order, prepared.prepared)).rejects.toThrow(
      /another account or environment/,
    );
  });
});

describe('a private call', () => {
  test('row 44: whose body differs by one space from what is signed is refused', async () => {
    await using member = await openMember();
    const { api } = credentialsOf();
    const body = '{"orderID":"0x00"}';
    const timeSec = Math.floor(member.simulator.clock.now() / SECOND_MS);
    const headers = new ApiCredentials(api).headers(
      member.signer.address,
      { method: 'DELETE', path: '/order', body },
      timeSec,
    );
    const send = async (sent: string) =>
      (await fetch(`${member.simulator.url}/clob-demo/order`, { method: 'DELETE', headers, body: sent }))
        .status;
    expect(await send(body)).toBe(200);
    expect(await send('{"orderID": "0x00"}')).toBe(401);
  });

  test('row 48: by a key that was revoked is refused for certain, and nothing else is read by it', async () => {
    await using member = await openMember();
    const { ref } = await member.place();
    member.account.keys.clear();
    expect((await member.place()).placed).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    await expect(member.broker.find(ref)).rejects.toThrow();
    await expect(member.broker.listOpen()).rejects.toThrow();
    await expect(member.broker.balances()).rejects.toThrow();
    await expect(member.broker.cancelAll()).rejects.toThrow();
  });

  test('row 107: with keys of the demo is unknown where there is money', async () => {
    await using member = await openMember();
    const path = '/data/orders';
    const timeSec = Math.floor(member.simulator.clock.now() / SECOND_MS);
    const headers = new ApiCredentials(credentialsOf().api).headers(
      member.signer.address,
      { method: 'GET', path },
      timeSec,
    );
    const statusAt = async (venue: string) =>
      (await fetch(`${member.simulator.url}/${venue}${path}`, { headers })).status;
    expect(await statusAt('clob-demo')).toBe(200);
    expect(await statusAt('clob')).toBe(401);
  });

  test('is the same for every call: the HMAC is over time, method, path and body', () => {
    const { api } = credentialsOf();
    const credentials = new ApiCredentials(api);
    const signature = createHmac('sha256', Buffer.from(api.secret, 'base64'))
      .update('1700000000POST/order{}')
      .digest('base64url');
    const call = { method: 'POST', path: '/order', body: '{}' };
    expect(credentials.signatureOf(call, 1_700_000_000).replace(/=+$/, '')).toBe(signature);
  });
});

describe('the state of an account', () => {
  test('names the wallet, what may be done, and when the session ends', async () => {
    const expiresMs = Date.UTC(2026, 11, 1);
    await using member = await openMember({ expiresMs });
    expect(await member.broker.status()).toEqual({
      clockOffsetMs: 500,
      isTrading: true,
      resumesAt: null,
      permissions: ['read', 'trade'],
      fingerprint: member.account.id,
      keyExpiresAt: new Date(expiresMs),
    });
  });

  test('row 40: says how far the venue is ahead', async () => {
    await using member = await openMember();
    for (const offsetMs of [70_000, -3_000]) {
      member.exchange.offsetMs = offsetMs;
      expect((await member.broker.status()).clockOffsetMs).toBe(offsetMs + 500);
    }
  });

  test('row 50: a session that is over no longer trades', async () => {
    await using member = await openMember({ expiresMs: Date.UTC(2026, 10, 22, 13) });
    await member.pass(DAY_MS);
    expect((await member.place()).placed).toMatchObject({ kind: 'refused', code: 'unauthorized' });
  });

  test('row 51: a region that is shut out may not trade, an account that may only reduce may close', async () => {
    await using member = await openMember();
    await member.place({ timeInForce: 'ioc', limitPrice: '0.6' });
    member.commands['behavior']?.({ isBlocked: true });
    expect((await member.broker.status()).permissions).toEqual(['read']);
    member.commands['behavior']?.({ isBlocked: false });
    member.commands['closed-only']?.({ account: member.account.id, isClosedOnly: true });
    expect((await member.broker.status()).permissions).toEqual(['read', 'close']);
    expect((await member.place()).placed).toMatchObject({ kind: 'refused', code: 'close_only' });
    expect((await member.place({ side: 'sell', amount: '5', limitPrice: '0.9' })).placed).toMatchObject({
      kind: 'taken',
    });
  });

  test('that cannot be parsed is an error, never an empty list', async () => {
    await using member = await openMember();
    for (const answer of ['html', 'half', 'cut'] as const) {
      for (const [path, ask] of [
        ['positions', () => member.broker.positions()],
        ['balance-allowance', () => member.broker.balances()],
        ['data/orders', () => member.broker.listOpen()],
        ['data/trades', () => member.broker.fillsSince(null)],
        ['version', () => member.broker.status()],
      ] as const) {
        member.simulatedVenue.faults.add({ path, answer });
        await expect(ask(), `${path} ${answer}`).rejects.toThrow(
          expect.objectContaining({ name: 'VenueError' }),
        );
        member.simulatedVenue.faults.clear();
      }
    }
  });

  test('at an unknown version of the exchange does not trade', async () => {
    await using member = await openMember();
    member.simulatedVenue.faults.add({ path: 'version', answer: { status: 200, body: { version: 4 } } });
    expect(await member.broker.status()).toMatchObject({ isTrading: false });
  });
});

/** Waits without a change until an order missing from the venue's lists counts as ended. */
async function untilSettled(member: Member, ref: OrderRef): Promise<void> {
  for (let look = 0; look < 3; look += 1) {
    await member.broker.find(ref);
    await member.broker.sendHeartbeat();
    await member.pass(8 * SECOND_MS);
  }
}

describe('the heartbeat', () => {
  test('row 95: that stops for fifteen seconds ends every order', async () => {
    await using member = await openMember();
    const { ref } = await member.place();
    for (let beat = 0; beat < 5; beat += 1) {
      await member.broker.sendHeartbeat();
      await member.pass(5 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({ status: 'open' });
    await member.pass(16 * SECOND_MS);
    expect(await member.broker.listOpen()).toEqual([]);
    // The venue has forgotten the last id: no other client is the cause.
    await member.broker.sendHeartbeat();
    await untilSettled(member, ref);
    expect(await member.find(ref)).toMatchObject({ status: 'canceled', reasonCode: 'dead_man' });
    const after = await member.place();
    expect(after.placed).toMatchObject({ kind: 'taken' });
    // The order placed after the silence was canceled by hand, not by the silence.
    const there = member.exchange.orders.get(after.prepared.venueOrderId ?? '');
    member.exchange.cancel(there ?? expect.unreachable(), 'by hand');
    await untilSettled(member, after.ref);
    expect(await member.find(after.ref)).toMatchObject({ status: 'canceled', reasonCode: 'at_venue' });
  });

  test('that never began ends nothing', async () => {
    await using member = await openMember();
    const { ref } = await member.place();
    await member.pass(60 * SECOND_MS);
    expect(await member.find(ref)).toMatchObject({ status: 'open' });
  });

  test('row 96: of another process is taken over, and reported', async () => {
    await using member = await openMember();
    const other = member.brokerOf(credentialsOf());
    await member.broker.sendHeartbeat();
    await member.pass(SECOND_MS);
    // A process that starts takes over without an error; the replaced process gets one.
    await other.sendHeartbeat();
    await expect(member.broker.sendHeartbeat()).rejects.toThrow(/another process/);
    await member.pass(SECOND_MS);
    await member.broker.sendHeartbeat();
    await member.pass(SECOND_MS);
    await expect(other.sendHeartbeat()).rejects.toThrow(/another process/);
  });
});

/** A stream with short timeouts for tests. */
function hear(member: Member, silentMs = 10_000) {
  const messages: StreamMessage[] = [];
  const stream = listenToUserStream({
    url: `${member.simulator.url.replace('http', 'ws')}/clob-demo`,
    credentials: new ApiCredentials(credentialsOf().api),
    on: (event) => messages.push(event),
    times: { probeMs: 20, silentMs, retryMs: 20, retryMaxMs: 100 },
  });
  const gaps = () => messages.filter(({ kind }) => kind === 'gap').length;
  return { messages, gaps, [Symbol.asyncDispose]: stream.stop };
}

const tradesIn = (messages: readonly StreamMessage[]) =>
  messages.flatMap((event) => (event.kind === 'trade' ? [event.trade.id] : []));

describe('the stream of an account', () => {
  test('tells of orders and fills, as lists do', async () => {
    await using member = await openMember();
    const events: VenueEvent[] = [];
    const stream = member.broker.stream((event) => events.push(event));
    await expect.poll(() => member.simulatedVenue.streams.size).toBe(1);
    await expect.poll(() => events.length).toBeGreaterThan(0);
    const { order, ref } = await member.place();
    member.meet(order, '10');
    const fillsIn = () => events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
    await expect.poll(() => fillsIn().length).toBe(1);
    expect(fillsIn()).toEqual((await member.find(ref)).fills);
    await stream.stop();
  });

  test('row 79: that was cut comes back, and says that something may be missing', async () => {
    await using member = await openMember();
    await using stream = hear(member);
    await expect.poll(stream.gaps).toBe(1);
    member.simulatedVenue.streams.cut();
    await expect.poll(stream.gaps).toBe(2);
  });

  test('row 80: that repeats and reorders tells the same trades', async () => {
    await using member = await openMember();
    await using stream = hear(member);
    await expect.poll(stream.gaps).toBe(1);
    const { order } = await member.place();
    await expect.poll(() => stream.messages.length).toBeGreaterThan(1);
    for (const disturbance of ['duplicate', 'reorder'] as const) {
      member.simulatedVenue.streams.disturb(disturbance);
      for (let part = 0; part < 3; part += 1) member.meet(order, '1');
      member.simulatedVenue.streams.disturb(null);
    }
    const { fills } = await member.broker.fillsSince(null);
    await expect.poll(() => new Set(tradesIn(stream.messages)).size).toBe(6);
    expect(new Set(tradesIn(stream.messages))).toEqual(new Set(fills.map(({ tradeId }) => tradeId)));
  });

  test('row 81: that is open and silent is closed, and opened again', async () => {
    await using member = await openMember();
    await using stream = hear(member, 200);
    await expect.poll(stream.gaps).toBe(1);
    member.simulatedVenue.streams.disturb('silence');
    await expect.poll(stream.gaps, { timeout: 5_000 }).toBeGreaterThan(1);
  });

  test('row 83: with an unknown event reports it as unreadable, and continues', async () => {
    await using member = await openMember();
    await using stream = hear(member);
    await expect.poll(stream.gaps).toBe(1);
    member.simulatedVenue.streams.send('{"event_type":"bonus"}');
    await expect.poll(() => stream.messages).toContainEqual({ kind: 'unreadable', about: 'bonus' });
    await member.place();
    await expect.poll(() => stream.messages.map(({ kind }) => kind)).toContain('order');
  });
});

test('no secret leaves but where the venue wants it', async () => {
  await using member = await openMember();
  await member.place();
  const { api, signingKey } = credentialsOf();
  const { request } = member.prepare(member.orderOf());
  const text = JSON.stringify([
    member.broker,
    request,
    await member.broker.status(),
    await member.broker.fillsSince(null),
  ]);
  for (const secret of [api.secret, api.passphrase, signingKey.slice(2)]) expect(text).not.toContain(secret);
});
