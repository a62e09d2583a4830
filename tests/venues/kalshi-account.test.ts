/** Reads of an account at venue A and its stream: recorded bodies unchanged, and with each of their fields damaged. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountFill, VenueEvent } from '../../venues/broker.ts';
import {
  accountFillOf,
  balancesOf,
  inTermsOf,
  parseFrame,
  permissionsOf,
  positionOf,
} from '../../venues/kalshi/trading/answer.ts';
import * as wire from '../../venues/kalshi/trading/wire.ts';
import {
  type Body,
  eachDamage,
  ID,
  outcomeOf,
  RECORDED,
  TICKER,
  VENUE_ID,
} from './support/kalshi-records.ts';

describe('the balances and positions of an account', () => {
  test('are no contracts if the position is negative', () => {
    const { market_positions: positions } = wire.Positions.parse(RECORDED.positions);
    expect(positions.flatMap(positionOf)).toEqual([{ tokenId: `${TICKER}:no`, amount: '3' }]);
    expect(positionOf({ ticker: TICKER, position_fp: '0.00', exchange_index: 0 })).toEqual([]);
  });

  test('are free except for resting orders, by shard; an order that closes a position reserves nothing', () => {
    const balance = wire.Balance.parse({
      balance_breakdown: [
        { balance: '98.0186', exchange_index: 0 },
        { balance: '5.0000', exchange_index: 2 },
      ],
    });
    const bid = wire.WireOrder.parse(RECORDED.orders.resting);
    const ask = { ...bid, book_side: 'ask' as const };
    const free = (orders: wire.WireOrder[], position: string) =>
      balancesOf(balance, orders, [{ ticker: TICKER, position_fp: position, exchange_index: 0 }]).map(
        (one) => one.available,
      );
    expect(free([], '0')).toEqual(['98.0186', '5']);
    expect(free([bid], '0')).toEqual(['96.9786', '5']);
    expect(free([ask], '0')).toEqual(['97.0586', '5']);
    expect(free([ask], '2.00')).toEqual(['98.0186', '5']);
    expect(free([bid], '-1.00')).toEqual(['97.4986', '5']);
    expect(free([{ ...bid, exchange_index: 2 }], '0')).toEqual(['98.0186', '3.96']);
  });

  test.each([
    [
      'positions',
      RECORDED.positions.market_positions[0] ?? {},
      (body: Body) =>
        wire.Positions.parse({ market_positions: [body], cursor: '' }).market_positions.flatMap(positionOf),
      ['ticker'],
    ],
    ['the time of reads', RECORDED.asOf, (body: Body) => wire.AsOfTime.parse(body), []],
    [
      'whether it trades',
      RECORDED.exchange,
      (body: Body) => wire.ExchangeStatus.parse(body),
      ['exchange_active', 'trading_active'],
    ],
  ] as const)('as %s, damaged in one field, is the same or none', (_, body, reading, names) => {
    const before = reading(body);
    eachDamage(body, (part, [field], what) => {
      // A smaller position is valid, too.
      if (names.some((name) => name === field) || what === 'position_fp: a negative text') return;
      let now: unknown;
      try {
        now = reading(part);
      } catch {
        return;
      }
      expect(now, what).toEqual(before);
    });
  });

  test.each([
    [
      ['read', 'write'],
      ['read', 'trade', 'transfer'],
    ],
    [['read'], ['read']],
    [
      ['read', 'write::trade'],
      ['read', 'trade'],
    ],
    [['write::transfer'], ['transfer']],
    [['read::portfolio_balance'], []],
  ])('of rights: scopes %j are %j', (scopes, permissions) => {
    expect(permissionsOf(scopes)).toEqual(permissions);
  });
});

describe('a frame of the stream', () => {
  const event = (frame: unknown): VenueEvent | null => parseFrame(JSON.stringify(frame));

  test('reports its recorded content', () => {
    expect(event(RECORDED.frames.order)).toMatchObject({
      kind: 'order',
      clientOrderId: ID,
      order: {
        venueOrderId: VENUE_ID,
        status: 'canceled',
        filledAmount: '1',
        reasonCode: 'post_only_cross_cancel',
      },
    });
    expect(event(RECORDED.frames.fill)).toMatchObject({
      kind: 'fill',
      fill: {
        clientOrderId: ID,
        venueOrderId: VENUE_ID,
        tokenId: `${TICKER}:yes`,
        side: 'buy',
        price: '0.52',
        amount: '2',
      },
    });
    for (const type of ['subscribed', 'ok', 'market_position']) expect(event({ type, msg: {} })).toBeNull();
  });

  test.each(['order', 'fill'] as const)(
    'of an %s, damaged in one field, reports the same or is unreadable',
    (name) => {
      const frame = RECORDED.frames[name];
      const before = event(frame);
      eachDamage(frame.msg, (msg, [field], what) => {
        const now = event({ ...frame, msg });
        if (now?.kind === 'unreadable') return;
        // Names cannot be checked here: a reader of an unknown name looks it up before it is used. Reasons decide nothing.
        if (['order_id', 'client_order_id', 'trade_id', 'ticker', 'market_ticker'].includes(String(field)))
          return;
        if (field === 'is_taker' || field === 'last_update_reason' || field === 'ts_ms') return;
        expect(now, what).toEqual(before);
      });
    },
  );
});

test('a fill reported as of yes is the same fill in the terms of its order', () => {
  const steps = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom('yes', 'no'),
      fc.constantFrom('buy', 'sell'),
      (step, outcome, side) => {
        const yes = (step / 1_000).toFixed(4);
        const no = ((1_000 - step) / 1_000).toFixed(4);
        const book_side = (outcome === 'yes') === (side === 'buy') ? 'bid' : 'ask';
        const reported: AccountFill = accountFillOf(
          wire.WireFill.parse({ ...RECORDED.fill, book_side, yes_price_dollars: yes, no_price_dollars: no }),
        );
        const own = inTermsOf({ tokenId: `${TICKER}:${outcome}`, side }, reported);
        expect(Number(own.price)).toBe(Number(outcome === 'yes' ? yes : no));
        expect(own).toMatchObject({ side, tokenId: `${TICKER}:${outcome}`, amount: reported.amount });
        const opposite = side === 'buy' ? 'sell' : 'buy';
        expect(
          outcomeOf(() => inTermsOf({ tokenId: `${TICKER}:${outcome}`, side: opposite }, reported)),
        ).toBe('throws');
      },
    ),
  );
});
