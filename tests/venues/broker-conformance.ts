/**
 * The promises of every broker, at any venue. To test a broker, write a file of a few lines:
 *
 *   describeBroker('Kalshi', async () => ({ broker, instrument, ...controls }));
 *
 * The harness is opened once for the file. Its controls act on the venue's side: the simulator's control routes for an adapter,
 * a market that the test sets for paper. `order` makes orders, each with its own id; they rest until `fill` lets them trade.
 * `broker.cancelAll` cancels all open orders after a test.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Exact, exact, sumOf } from '../../engine/platform/decimal.ts';
import type {
  AccountFill,
  Broker,
  BrokerOrder,
  FindResult,
  OrderRef,
  PlaceResult,
  Prepared,
  TradedInstrument,
  VenueEvent,
  VenueOrder,
} from '../../venues/broker.ts';
import type { MayLeave } from '../../venues/http/send-once.ts';

export type BrokerHarness = {
  broker: Broker;
  instrument: TradedInstrument;
  /** A new order of `instrument` that the venue accepts and that rests: a buy of ten steps or more, good till canceled. */
  order(more?: Partial<BrokerOrder>): BrokerOrder;
  /** The clock that the broker uses. */
  now(): Date;
  /** Moves the broker's and the venue's clock. */
  wait(ms: number): Promise<void> | void;
  /** Fills an amount of a resting order at its limit, at the venue. */
  fill(order: BrokerOrder, amount: string): Promise<void>;
  /** The next request to place an order never arrives, or arrives and its answer is lost. */
  lose(what: 'request' | 'answer'): Promise<void> | void;
  /** The number of orders at the venue with this client order id. */
  countAtVenue(clientOrderId: string): Promise<number>;
  /** From here on the venue reports an unknown status of this order; absent for brokers without statuses in text. */
  garble?(order: BrokerOrder): Promise<void> | void;
  close?(): Promise<void>;
};

/** The longest delay until a venue's reads show the effect of its writes. */
const SHOWN_WITHIN_MS = 5_000;

const sum = (amounts: readonly string[]): string => sumOf(amounts).toFixed();
const part = (order: BrokerOrder, share: number): string => exact(order.amount).times(share).toFixed();
const sameNumber = (a: string | null, b: string): boolean => a !== null && exact(a).eq(b);

const LEAVES: MayLeave = async () => null;

/** Loses the next request of a broker, or the answer to it, for venues without faults of their own. */
export function losing(broker: Broker): BrokerHarness['lose'] {
  const place = broker.place.bind(broker);
  let lost: 'request' | 'answer' | null = null;
  broker.place = async (...order) => {
    const losingNow = lost;
    lost = null;
    if (losingNow === 'request') throw new Error('connection refused');
    const placed = await place(...order);
    if (losingNow === 'answer') throw new Error('connection reset');
    return placed;
  };
  return (what) => {
    lost = what;
  };
}

/** Runs every promise against one broker. */
export function describeBroker(name: string, open: () => Promise<BrokerHarness>): void {
  describe(`${name} keeps the promises of a broker:`, () => {
    let venue: BrokerHarness;
    beforeAll(async () => {
      venue = await open();
    });
    afterEach(() => venue.broker.cancelAll());
    afterAll(() => venue.close?.());

    const prepare = (order: BrokerOrder): Prepared => {
      const preparation = venue.broker.prepare(order, venue.instrument, venue.now());
      if (preparation.kind === 'refused') throw new Error(`It cannot be prepared: ${preparation.reason}`);
      return preparation.prepared;
    };
    const refOf = (order: BrokerOrder, prepared: Prepared, placed?: PlaceResult): OrderRef => ({
      accountId: order.accountId,
      mode: order.mode,
      id: order.id,
      tokenId: order.tokenId,
      prepared,
      venueOrderId: placed?.kind === 'taken' ? placed.order.venueOrderId : null,
    });
    /** Polls until the venue shows the order as wanted: reads may lag behind writes. */
    async function visibleOnce(ref: OrderRef, isWanted: (order: VenueOrder) => boolean): Promise<VenueOrder> {
      const endMs = performance.now() + SHOWN_WITHIN_MS;
      let last: FindResult = { kind: 'unsure' };
      while (performance.now() < endMs) {
        last = await venue.broker.find(ref);
        if (last.kind === 'found' && isWanted(last.order)) return last.order;
        await sleep(20);
      }
      throw new Error(`The venue still shows ${JSON.stringify(last)}.`);
    }
    const allBooked = (filled: string) => (order: VenueOrder) =>
      sameNumber(sum(order.fills.map(({ amount }) => amount)), filled) &&
      (order.filledAmount === null || sameNumber(order.filledAmount, filled));
    async function resting(more: Partial<BrokerOrder> = {}) {
      const order = venue.order(more);
      const prepared = prepare(order);
      const placed = await venue.broker.place(order, prepared, LEAVES);
      expect(placed.kind).toBe('taken');
      const ref = refOf(order, prepared, placed);
      await visibleOnce(ref, ({ status }) => status === 'open');
      return { order, prepared, ref };
    }

    test('preparing is pure: the same order at the same moment makes the same request, which survives being stored', () => {
      const order = venue.order();
      const now = venue.now();
      const [one, two] = [
        venue.broker.prepare(order, venue.instrument, now),
        venue.broker.prepare(order, venue.instrument, now),
      ];
      expect(two).toEqual(one);
      if (one.kind !== 'prepared') throw new Error('It cannot be prepared.');
      expect(JSON.parse(JSON.stringify(one.prepared.request))).toEqual(one.prepared.request);
      expect(one.prepared.arrivesBy.getTime()).toBeGreaterThan(now.getTime());
    });

    test('an accepted order is found, and rests under the reported id', async () => {
      const { ref } = await resting();
      const order = await visibleOnce(ref, ({ status }) => status === 'open');
      expect(order.fills).toEqual([]);
      if (ref.venueOrderId !== null) expect(order.venueOrderId).toBe(ref.venueOrderId);
    });

    test('an order is found by its request alone, before its venue id is known', async () => {
      const { order, prepared } = await resting();
      const found = await visibleOnce(refOf(order, prepared), ({ status }) => status === 'open');
      expect(found.fills).toEqual([]);
    });

    test('an order that may no longer leave is withheld with its reason, and never arrives', async () => {
      const order = venue.order();
      const prepared = prepare(order);
      const why = { code: 'connection_halted', reason: 'It is halted.' };
      expect(await venue.broker.place(order, prepared, async () => why)).toEqual({
        kind: 'withheld',
        ...why,
      });
      expect(await venue.countAtVenue(prepared.clientOrderId)).toBe(0);
    });

    test('a repeat of the request of a resting order changes nothing and reports that it exists', async () => {
      const { order, prepared, ref } = await resting();
      expect(await venue.broker.place(order, prepared, LEAVES)).toEqual({ kind: 'exists' });
      expect(await venue.countAtVenue(prepared.clientOrderId)).toBe(1);
      await visibleOnce(ref, ({ status }) => status === 'open');
    });

    test('an order whose answer was lost is found, once', async () => {
      const order = venue.order();
      const prepared = prepare(order);
      await venue.lose('answer');
      await expect(venue.broker.place(order, prepared, LEAVES)).rejects.toThrow();
      await visibleOnce(refOf(order, prepared), ({ status }) => status === 'open');
      expect(await venue.countAtVenue(prepared.clientOrderId)).toBe(1);
    });

    test('an order that never arrived is absent, and that is no proof until it can no longer arrive', async () => {
      const order = venue.order();
      const prepared = prepare(order);
      await venue.lose('request');
      await expect(venue.broker.place(order, prepared, LEAVES)).rejects.toThrow();
      const early = await venue.broker.find(refOf(order, prepared));
      expect(early.kind).not.toBe('found');
      if (early.kind === 'absent')
        expect(early.asOf.getTime()).toBeLessThanOrEqual(prepared.arrivesBy.getTime());
      await venue.wait(prepared.arrivesBy.getTime() - venue.now().getTime() + 1_000);
      await expect
        .poll(() => venue.broker.find(refOf(order, prepared)), { timeout: SHOWN_WITHIN_MS })
        .toMatchObject({ kind: 'absent' });
      const late = await venue.broker.find(refOf(order, prepared));
      if (late.kind !== 'absent') throw new Error(`It is ${late.kind}.`);
      expect(late.asOf.getTime()).toBeGreaterThan(prepared.arrivesBy.getTime());
      expect(await venue.countAtVenue(prepared.clientOrderId)).toBe(0);
    });

    test('a price off the ladder is not taken', async () => {
      const { tickSize, priceRanges } = venue.instrument;
      const finest = [tickSize, ...priceRanges.map(({ step }) => step)].reduce((a, b) =>
        Exact.min(a, b).toFixed(),
      );
      const order = venue.order();
      const off = {
        ...order,
        limitPrice: exact(order.limitPrice).minus(exact(finest).div(2)).toFixed(),
      };
      const preparation = venue.broker.prepare(off, venue.instrument, venue.now());
      if (preparation.kind === 'refused') {
        expect(preparation.code).toMatch(/^[a-z][a-z0-9_]*$/);
        return;
      }
      const placed = await venue.broker.place(off, preparation.prepared, LEAVES);
      const isRefused =
        placed.kind === 'refused' || (placed.kind === 'taken' && placed.order.status === 'rejected');
      expect(isRefused).toBe(true);
    });

    test('part by part, each fill is reported with its own id, and `filled` once it is complete', async () => {
      const { order, ref } = await resting();
      await venue.fill(order, part(order, 0.4));
      const partly = await visibleOnce(ref, allBooked(part(order, 0.4)));
      expect(partly.status).toBe('open');
      await venue.fill(order, part(order, 0.6));
      const whole = await visibleOnce(
        ref,
        (report) => report.status === 'filled' && allBooked(order.amount)(report),
      );
      const ids = whole.fills.map(({ tradeId }) => tradeId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const fill of partly.fills) expect(whole.fills).toContainEqual(fill);
      for (const { price, fee, feeAsset, feeAmount } of whole.fills) {
        expect(exact(price).lte(order.limitPrice)).toBe(true);
        expect(exact(fee).gte(0) && exact(feeAmount).gte(0)).toBe(true);
        expect(feeAsset).not.toBe('');
      }
    });

    test('two lookups return the same', async () => {
      const { order, ref } = await resting();
      await venue.fill(order, part(order, 0.5));
      const once = await visibleOnce(ref, allBooked(part(order, 0.5)));
      expect(await visibleOnce(ref, allBooked(part(order, 0.5)))).toEqual(once);
    });

    test('a cancel ends the resting rest, and may be repeated', async () => {
      const { ref } = await resting();
      expect((await venue.broker.cancel(ref)).kind).toBe('asked');
      await visibleOnce(ref, ({ status }) => status === 'canceled');
      await venue.broker.cancel(ref);
      await visibleOnce(ref, ({ status }) => status === 'canceled');
    });

    test('row 36: a cancel needs no id but that of the request', async () => {
      const { order, prepared } = await resting();
      await venue.broker.cancel(refOf(order, prepared));
      await visibleOnce(refOf(order, prepared), ({ status }) => status === 'canceled');
    });

    test('a cancel keeps what was filled', async () => {
      const { order, ref } = await resting();
      await venue.fill(order, part(order, 0.4));
      await visibleOnce(ref, allBooked(part(order, 0.4)));
      await venue.broker.cancel(ref);
      const ended = await visibleOnce(ref, ({ status }) => status === 'canceled');
      expect(allBooked(part(order, 0.4))(ended)).toBe(true);
    });

    test('a fill can be faster than a cancel: the order is filled, for any answer to the cancel', async () => {
      const { order, ref } = await resting();
      await venue.fill(order, order.amount);
      await venue.broker.cancel(ref);
      await visibleOnce(ref, (report) => report.status === 'filled' && allBooked(order.amount)(report));
    });

    test('an order that may not rest ends with the fills it got', async () => {
      const order = venue.order({ timeInForce: 'ioc' });
      const prepared = prepare(order);
      const placed = await venue.broker.place(order, prepared, LEAVES);
      if (placed.kind === 'refused') return;
      const ended = await visibleOnce(
        refOf(order, prepared, placed),
        ({ status }) => status === 'canceled' || status === 'expired',
      );
      expect(ended.fills).toEqual([]);
    });

    test('an order that never takes an offer rests where there is none at its price', async () => {
      const { ref } = await resting({ timeInForce: 'gtx' });
      await visibleOnce(ref, ({ status, fills }) => status === 'open' && fills.length === 0);
    });

    test('open orders are listed by both names, until they have ended', async () => {
      const { order, prepared, ref } = await resting();
      const mine = async () =>
        (await venue.broker.listOpen()).filter(
          ({ clientOrderId, venueOrderId }) =>
            clientOrderId === prepared.clientOrderId || venueOrderId === ref.venueOrderId,
        );
      await expect
        .poll(mine, { timeout: SHOWN_WITHIN_MS })
        .toMatchObject([{ tokenId: order.tokenId, side: order.side }]);
      const [listed] = await mine();
      expect(sameNumber(listed?.amount ?? null, order.amount)).toBe(true);
      expect(sameNumber(listed?.limitPrice ?? null, order.limitPrice)).toBe(true);
      await venue.broker.cancel(ref);
      await expect.poll(mine, { timeout: SHOWN_WITHIN_MS }).toEqual([]);
    });

    test('every fill of the account is listed, and from a cursor on the later ones; repeats are identical', async () => {
      const readAll = async (from: string | null): Promise<{ fills: AccountFill[]; cursor: string }> => {
        const fills: AccountFill[] = [];
        let cursor = from;
        for (;;) {
          const page = await venue.broker.fillsSince(cursor);
          fills.push(...page.fills);
          if (page.cursor === cursor || page.fills.length === 0) return { fills, cursor: page.cursor };
          cursor = page.cursor;
        }
      };
      const { order, ref } = await resting();
      await venue.fill(order, part(order, 0.4));
      const first = await visibleOnce(ref, allBooked(part(order, 0.4)));
      const idsOf = (fills: readonly AccountFill[]) =>
        fills
          .filter(({ venueOrderId }) => venueOrderId === (ref.venueOrderId ?? first.venueOrderId))
          .map(({ tradeId }) => tradeId);
      await expect
        .poll(async () => idsOf((await readAll(null)).fills), { timeout: SHOWN_WITHIN_MS })
        .toEqual(expect.arrayContaining(first.fills.map(({ tradeId }) => tradeId)));
      const before = await readAll(null);
      await venue.fill(order, part(order, 0.6));
      const whole = await visibleOnce(ref, allBooked(order.amount));
      const firstIds = new Set(first.fills.map(({ tradeId }) => tradeId));
      const news = whole.fills.map(({ tradeId }) => tradeId).filter((id) => !firstIds.has(id));
      await expect
        .poll(async () => idsOf((await readAll(before.cursor)).fills), { timeout: SHOWN_WITHIN_MS })
        .toEqual(expect.arrayContaining(news));
      const again = await readAll(null);
      for (const fill of before.fills) {
        expect(
          again.fills.find(
            ({ tradeId, venueOrderId }) => tradeId === fill.tradeId && venueOrderId === fill.venueOrderId,
          ),
        ).toEqual(fill);
      }
    });

    test('holdings, money and the state of the venue can be read', async () => {
      for (const { amount } of await venue.broker.positions()) expect(exact(amount).isFinite()).toBe(true);
      for (const { available, total } of await venue.broker.balances()) {
        expect(exact(available).lte(total)).toBe(true);
      }
      const status = await venue.broker.status();
      expect(status.isTrading).toBe(true);
      expect(status.permissions).toContain('trade');
      expect(status.fingerprint).not.toBe('');
    });

    test('a bought amount is held: positions grow by it, less the commission charged in it', async () => {
      const held = async () => {
        const positions = await venue.broker.positions();
        return positions.find(({ tokenId }) => tokenId === venue.instrument.tokenId)?.amount ?? '0';
      };
      const before = await held();
      const { order, ref } = await resting();
      await venue.fill(order, order.amount);
      const { fills } = await visibleOnce(ref, allBooked(order.amount));
      const base = venue.instrument.kind === 'spot' ? venue.instrument.outcome : null;
      const charged = sum(
        fills.filter(({ feeAsset }) => feeAsset === base).map(({ feeAmount }) => feeAmount),
      );
      const grown = exact(order.amount).minus(charged);
      await expect
        .poll(
          async () =>
            exact(await held())
              .minus(before)
              .toFixed(),
          { timeout: SHOWN_WITHIN_MS },
        )
        .toBe(grown.toFixed());
    });

    test('canceling all leaves nothing open', async () => {
      const orders = [await resting(), await resting(), await resting()];
      await venue.broker.cancelAll();
      for (const { ref } of orders) await visibleOnce(ref, ({ status }) => status === 'canceled');
      await expect.poll(() => venue.broker.listOpen(), { timeout: SHOWN_WITHIN_MS }).toEqual([]);
    });

    test('an unknown status is no answer', async ({ skip }) => {
      if (venue.garble === undefined) return skip();
      const { order, ref } = await resting();
      await venue.garble(order);
      const found = await venue.broker.find(ref).catch(() => ({ kind: 'unsure' }));
      expect(found.kind).toBe('unsure');
    });

    test('a stream reports fills and ends, and can be stopped', async ({ skip }) => {
      if (venue.broker.stream === undefined) return skip();
      const events: VenueEvent[] = [];
      const stream = venue.broker.stream((event) => events.push(event));
      await expect.poll(() => events.map(({ kind }) => kind), { timeout: SHOWN_WITHIN_MS }).toContain('gap');
      const { order, ref } = await resting();
      await venue.fill(order, part(order, 0.4));
      const { fills } = await visibleOnce(ref, allBooked(part(order, 0.4)));
      await expect
        .poll(
          () =>
            events.flatMap((event) =>
              event.kind === 'fill'
                ? [event.fill.tradeId]
                : event.kind === 'order'
                  ? event.order.fills.map(({ tradeId }) => tradeId)
                  : [],
            ),
          { timeout: SHOWN_WITHIN_MS },
        )
        .toEqual(expect.arrayContaining(fills.map(({ tradeId }) => tradeId)));
      await stream.stop();
      const count = events.length;
      await venue.broker.cancel(ref);
      await visibleOnce(ref, ({ status }) => status === 'canceled');
      expect(events).toHaveLength(count);
    });
  });
}
