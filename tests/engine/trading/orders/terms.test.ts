import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { instrumentOf } from '../../../../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import type { FreeHolding } from '../../../../engine/trading/orders/terms/allocate.ts';
import { type DraftRequest, draftOrder } from '../../../../engine/trading/orders/terms/draft.ts';
import { maxFee } from '../../../../engine/trading/orders/terms/fees.ts';
import {
  byAge,
  freeHoldings,
  type Reserving,
} from '../../../../engine/trading/orders/terms/free-holdings.ts';
import {
  defaultGoodTill,
  goodTillOf,
  isGoodTillPassed,
  noLaterThan,
} from '../../../../engine/trading/orders/terms/good-till.ts';
import { refuseClosedMarket } from '../../../../engine/trading/orders/terms/market-checks.ts';
import { dustReason } from '../../../../engine/trading/orders/terms/unsellable.ts';
import type { FeeSchedule } from '../../../../venues/port.ts';
import { NO_FEE } from '../../../support/fees.ts';
import { position } from './answer.ts';
import { INSTRUMENT, market, NOW, refusalOf } from './market.ts';
import { at } from './order.ts';

const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('how long an order may rest', () => {
  const limit = { type: 'limit', timeInForce: 'gtc' } as const;

  test('is set by the caller, for orders that may rest at all', () => {
    expect(goodTillOf({ ...limit, expireAfterSec: 90 }, NOW)).toEqual(later(90_000));
    expect(goodTillOf(limit, NOW)).toBeNull();
    expect(goodTillOf({ ...limit, timeInForce: 'ioc', expireAfterSec: 90 }, NOW)).toBeNull();
    expect(goodTillOf({ type: 'market', timeInForce: 'gtc', expireAfterSec: 90 }, NOW)).toBeNull();
  });

  test('is ten minutes for a live entry without one, and for nothing else', () => {
    const entry = { ...limit, mode: 'live', side: 'buy' } as const;
    expect(defaultGoodTill(entry, NOW)).toEqual(later(600_000));
    for (const other of [
      { mode: 'paper' },
      { side: 'sell' },
      { timeInForce: 'ioc' },
      { type: 'market' },
    ] as const)
      expect(defaultGoodTill({ ...entry, ...other }, NOW), JSON.stringify(other)).toBeNull();
  });

  test('bounds every wait for it, and is over at its instant', () => {
    expect(noLaterThan(null, NOW)).toEqual(NOW);
    expect(noLaterThan(at(-1), NOW)).toEqual(later(-1));
    expect(noLaterThan(later(1), NOW)).toEqual(NOW);
    expect([at(-1), at(0), at(1), null].map((end) => isGoodTillPassed(end, NOW))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the positions that a sell may draw on', () => {
  const reserving = (id: string, positionId: string, terms: Partial<Reserving['order']> = {}): Reserving => ({
    order: { id, status: 'open', expires_at: null, ...terms },
    position_id: positionId,
    amount: '4',
    filled_amount: '1',
  });
  const free = (
    positions: Parameters<typeof freeHoldings>[0],
    reserved: readonly Reserving[] = [],
    query: { blueprintId?: string; leaveOut?: string } = {},
  ) =>
    freeHoldings(positions, reserved, { tokenId: 'KXTEST:yes', blueprintId: null, now: NOW, ...query }).map(
      ({ positionId, free: left }) => [positionId, left.toFixed()],
    );

  test('are its holdings, oldest first, and the same age by name', () => {
    const positions = [
      position('b', '10'),
      position('a', '9'),
      position('old', '8', { opened_at: at(-99) }),
      position('none', '0'),
      position('other', '7', { token_id: 'KXTEST:no' }),
    ];
    const sorted = [
      ['old', '8'],
      ['a', '9'],
      ['b', '10'],
    ];
    expect(free(positions)).toEqual(sorted);
    expect(free(positions.toReversed())).toEqual(sorted);
    expect(byAge(position('a', '1'), position('b', '1'))).toBe(-1);
  });

  test('are those of one blueprint if it is for one', () => {
    const positions = [position('a', '9'), position('b', '10', { blueprint_id: 'b-2' })];
    expect(free(positions, [], { blueprintId: 'b-2' })).toEqual([['b', '10']]);
  });

  test('are reduced by the open rest of queued sells, until their time is over; the order itself left out', () => {
    const positions = [position('a', '10'), position('b', '10', { opened_at: at(-1) })];
    const reserved = [
      reserving('s-1', 'a'),
      reserving('s-2', 'a'),
      reserving('s-3', 'b', { status: 'pending' }),
      reserving('s-4', 'b', { status: 'queued', expires_at: at(0) }),
      reserving('s-5', 'b', { status: 'canceled' }),
    ];
    expect(free(positions, reserved)).toEqual([
      ['a', '4'],
      ['b', '10'],
    ]);
    expect(free(positions, reserved, { leaveOut: 's-1' })).toEqual([
      ['a', '7'],
      ['b', '10'],
    ]);
  });
});

describe('terms of an order', () => {
  const held: FreeHolding[] = [{ positionId: 'p', blueprintId: 'b', held: exact('0.5'), free: exact('0.5') }];
  const drafted = (request: Partial<DraftRequest>, isLive = false, of = market()) =>
    draftOrder(
      { origin: 'order', side: 'buy', type: 'limit', amount: '10', limitPrice: '0.5', ...request },
      of,
      held,
      NOW,
      DEFAULT_TRADING_SETTINGS,
      isLive,
    );

  test('name the remedies for a position that is too small to sell', () => {
    const little = market({ instrument: { step_size: '0.1' } });
    const of = (request: Partial<DraftRequest>) =>
      refusalOf(() => drafted({ side: 'sell', amount: '0.5', ...request }, false, little)).message;
    expect(of({})).toContain('The holding can be written off in a web session.');
    expect(of({})).not.toContain('A close without');
    expect(of({ origin: 'manual', allocate: 'blueprint' })).toContain(
      'A close without `blueprintId` sells it together with the holdings of other blueprints.',
    );
    expect(of({ amount: '0.4' })).not.toContain('written off');
  });

  test('are data only if an instrument cannot be bought; a holding is sold by the last known fee', () => {
    const noMore = (fee: FeeSchedule | null) =>
      market({ instrument: { tradable: false, fee_schedule: fee } });
    const stated = INSTRUMENT.fee_schedule;
    expect(() => refuseClosedMarket(noMore(stated), 'sell')).not.toThrow();
    for (const [of, side] of [
      [noMore(stated), 'buy'],
      [noMore(null), 'sell'],
    ] as const)
      expect(refusalOf(() => refuseClosedMarket(of, side))).toMatchObject({
        code: 'validation_failed',
        message: 'KXTEST:yes is quoted in USD or has no fee we know: it is data only.',
      });
  });

  test('count the fee at the best bid, since a sell by notional may trade above its limit', () => {
    const schedule: FeeSchedule = { ...NO_FEE, takerRate: '0.001', makerRate: '0.002' };
    const order = { limitPrice: exact(100), amount: exact(10) };
    const fee = (side: 'buy' | 'sell', bid: number | null) =>
      maxFee(schedule, { ...order, side, bid: bid === null ? null : exact(bid) }).toFixed();
    expect([fee('sell', 120), fee('sell', 90), fee('sell', null), fee('buy', 120)]).toEqual([
      '2.4',
      '2',
      '2',
      '2',
    ]);
  });
});

test("report an amount below the venue's minimum at the best bid; without a bid only the size decides", () => {
  const little = { min_size: '5', min_notional: '3' };
  const dust = (amount: string, quote: Parameters<typeof market>[0] = {}) =>
    dustReason(market({ instrument: little, ...quote }), exact(amount));
  expect(dust('4')).not.toBeNull();
  expect(dust('6')).not.toBeNull();
  expect(dust('7')).toBeNull();
  expect(dust('6', { quote: { bid: null } })).toBeNull();
  expect(dust('6', { quote: null })).toBeNull();
  expect(dust('4', { quote: null })).not.toBeNull();
});

test('a fee is read with its instrument, and an unknown one is refused', () => {
  expect(instrumentOf({ ...INSTRUMENT, fee_schedule: INSTRUMENT.fee_schedule }).fee_schedule).toEqual(
    INSTRUMENT.fee_schedule,
  );
  expect(() => instrumentOf({ ...INSTRUMENT, fee_schedule: { formula: 'by taste' } })).toThrow();
});
