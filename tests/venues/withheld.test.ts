/** Orders that wait for the rate limit of a venue while trading is halted: none of them reaches the venue. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { PlaceResult } from '../../venues/broker.ts';
import { type MayLeave, sendOnce, Withheld } from '../../venues/http/send-once.ts';
import { openExchange } from './support/binance-exchange.ts';
import { CREATE, member, orderOf } from './support/kalshi-trading.ts';
import { openMember } from './support/polymarket-member.ts';

const HALTED = { code: 'connection_halted', reason: 'It is halted.' };
const BUYS = 8;

/** Places eight orders at once; the answer to the first one halts trading. Returns the outcomes of the others. */
async function placeWhileHalting(
  place: (mayLeave: MayLeave) => Promise<PlaceResult>,
): Promise<PlaceResult[]> {
  let isHalted = false;
  const mayLeave: MayLeave = async () => (isHalted ? HALTED : null);
  const first = place(mayLeave).finally(() => {
    isHalted = true;
  });
  const others = Promise.all(Array.from({ length: BUYS - 1 }, () => place(mayLeave)));
  await Promise.allSettled([first]);
  return others;
}

const kindsOf = (placed: readonly PlaceResult[]) =>
  placed.map((each) => ('code' in each ? each.code : each.kind));
const LATER = Array.from({ length: BUYS - 1 }, () => HALTED.code);
/** Admits one order at a time: the first is answered before the second leaves, even on a busy machine. */
const ONE_AT_A_TIME = { tokensPerSec: 2, burst: 1 };

describe('of eight buys, the first answered 429, none reaches the venue once trading is halted:', () => {
  test('venue A', async () => {
    const fast = { tokensPerSec: 50_000, burst: 50_000 };
    await using venue = await member({ limits: { reads: fast, writes: { tokensPerSec: 50, burst: 10 } } });
    venue.simulatedVenue.faults.add({ ...CREATE, isProcessed: false, answer: { retryAfterSec: 1 } });
    const placed = await placeWhileHalting(async (mayLeave) => {
      const order = orderOf();
      return venue.broker.place(order, await venue.prepare(order), mayLeave);
    });
    expect(kindsOf(placed)).toEqual(LATER);
    expect(venue.ordersThere()).toEqual([]);
  });

  test('venue B', async () => {
    const fast = { tokensPerSec: 50_000, burst: 50_000 };
    await using venue = await openMember({ limits: { places: ONE_AT_A_TIME, cancels: fast, reads: fast } });
    venue.simulatedVenue.faults.add({
      method: 'POST',
      path: 'order',
      isProcessed: false,
      answer: { retryAfterSec: 1 },
    });
    const placed = await placeWhileHalting((mayLeave) => {
      const order = venue.orderOf();
      return venue.broker.place(order, venue.prepare(order), mayLeave);
    });
    expect(kindsOf(placed)).toEqual(LATER);
    expect([...venue.exchange.orders.values()].filter(({ account }) => account === venue.account)).toEqual(
      [],
    );
  });

  test('crypto', async () => {
    await using exchange = await openExchange();
    const { faults } = exchange.simulatedVenue;
    faults.add({ method: 'POST', path: 'api/v3/order', isProcessed: false, answer: { retryAfterSec: 1 } });
    // Six at a time: those that left beside the first one are lost in transit.
    faults.add({
      method: 'POST',
      path: 'api/v3/order',
      nth: 2,
      times: 5,
      isProcessed: false,
      answer: { retryAfterSec: 1 },
    });
    const placed = await placeWhileHalting((mayLeave) => {
      const order = exchange.order();
      return exchange.broker.place(order, exchange.prepare(order), mayLeave);
    });
    expect(kindsOf(placed)).not.toContain('taken');
    expect([...exchange.venue.exchange.orders.values()]).toEqual([]);
  });
});

describe('a request with a check before it leaves', () => {
  test('asks it once connected, not before, and writes no byte if the answer is no', async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      heard.push('connected');
      socket.on('data', () => heard.push('data')).on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const mayLeave: MayLeave = async () => {
      await expect.poll(() => heard).toEqual(['connected']);
      return HALTED;
    };
    const url = new URL(`http://127.0.0.1:${port}/order`);
    const sent = sendOnce({
      method: 'POST',
      url,
      headers: {},
      body: '{}',
      signal: AbortSignal.timeout(20_000),
      mayLeave,
    });
    await expect(sent).rejects.toMatchObject({ why: HALTED });
    server.close();
    await once(server, 'close');
    expect(heard).toEqual(['connected']);
  });

  test('is withheld if the check fails', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const url = new URL(`http://127.0.0.1:${port}/order`);
    const mayLeave = () => Promise.reject(new Error('no database'));
    const sent = sendOnce({
      method: 'POST',
      url,
      headers: {},
      signal: AbortSignal.timeout(20_000),
      mayLeave,
    });
    await expect(sent).rejects.toBeInstanceOf(Withheld);
    await expect(sent).rejects.toMatchObject({ why: { code: 'brakes_unreadable' } });
    server.close();
  });
});
