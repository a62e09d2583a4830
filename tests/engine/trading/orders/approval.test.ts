import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  freeAllocatedAmount,
  refuseMovedPrice,
  refuseUnlessPending,
} from '../../../../engine/trading/orders/entry/approval-checks.ts';
import type { FreeHolding } from '../../../../engine/trading/orders/terms/allocate.ts';
import { market, NOW, refusalOf } from './market.ts';

const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

describe('only a pending order can be approved', () => {
  type Waiting = Parameters<typeof refuseUnlessPending>[0];
  const order = (terms: Partial<Waiting>): Waiting => ({
    id: 'o-1',
    status: 'pending',
    expires_at: at(1),
    queued_at: null,
    ...terms,
  });
  const approve = (terms: Partial<Waiting>) => () => refuseUnlessPending(order(terms), NOW);

  test('a pending one until the moment it expires', () => {
    expect(approve({})).not.toThrow();
    expect(refusalOf(approve({ expires_at: at(0) }))).toMatchObject({
      code: 'intent_expired',
      message: 'Order o-1 waited for approval and has expired.',
    });
    expect(refusalOf(approve({ status: 'expired' })).code).toBe('intent_expired');
  });

  test('no order that ended otherwise, and the message states its status', () => {
    expect(refusalOf(approve({ status: 'declined' }))).toMatchObject({
      code: 'intent_not_pending',
      message: 'Order o-1 is declined: only a pending one can be approved.',
    });
    expect(refusalOf(approve({ status: 'queued', queued_at: at(-1) })).code).toBe('intent_not_pending');
  });

  test('a queued order that was not sent in time has not expired as an intent', () => {
    expect(refusalOf(approve({ status: 'expired', queued_at: at(-1) }))).toMatchObject({
      code: 'intent_not_pending',
      message: 'Order o-1 is expired: only a pending one can be approved.',
    });
  });
});

describe('"the price band" is checked again', () => {
  type Priced = Parameters<typeof refuseMovedPrice>[0];
  const approve =
    (terms: Partial<Priced>, of = market()) =>
    () =>
      refuseMovedPrice(
        { token_id: 'KXTEST:yes', side: 'buy', type: 'market', limit_price: '0.500000000000', ...terms },
        of,
        NOW,
      );

  test('a buy passes while the ask is at its limit or below', () => {
    expect(approve({})).not.toThrow();
    expect(refusalOf(approve({ limit_price: '0.490000000000' }))).toMatchObject({
      code: 'price_moved',
      message: 'The ask of KXTEST:yes is 0.5 now, outside the price band that ends at 0.49.',
    });
  });

  test('a sell passes while the bid is at its limit or above', () => {
    expect(approve({ side: 'sell', limit_price: '0.48' })).not.toThrow();
    expect(refusalOf(approve({ side: 'sell', limit_price: '0.49' }))).toMatchObject({
      code: 'price_moved',
      message: 'The bid of KXTEST:yes is 0.48 now, outside the price band that ends at 0.49.',
    });
  });

  test('a limit order has no band, and needs no quote', () => {
    expect(approve({ type: 'limit', limit_price: '0.1' })).not.toThrow();
    expect(approve({ type: 'limit' }, market({ quote: null }))).not.toThrow();
  });

  test('without a quote on the other side there is no price to check', () => {
    expect(refusalOf(approve({}, market({ quote: { ask: null } })))).toMatchObject({
      code: 'no_liquidity',
      message: 'There is no ask in KXTEST:yes now.',
    });
    expect(refusalOf(approve({ side: 'sell' }, market({ quote: { bid: null } }))).message).toBe(
      'There is no bid in KXTEST:yes now.',
    );
  });

  test('a quote of 30 s is fresh enough, an older one is not', () => {
    expect(approve({}, market({ ageMs: 30_000 }))).not.toThrow();
    expect(refusalOf(approve({}, market({ ageMs: 30_001 }))).code).toBe('quote_unavailable');
  });

  test('a market that is not open refuses a limit order too', () => {
    const closed = market({ instrument: { status: 'closed' } });
    expect(refusalOf(approve({ type: 'limit' }, closed)).code).toBe('market_not_open');
  });
});

describe('the amount still free of the displayed positions', () => {
  const holding = (positionId: string, free: string): FreeHolding => ({
    positionId,
    blueprintId: 'b',
    held: exact(100),
    free: exact(free),
  });
  const free = (allocations: [string, string][], ...holdings: FreeHolding[]) =>
    freeAllocatedAmount(
      allocations.map(([position_id, amount]) => ({ position_id, amount })),
      holdings,
    ).toFixed();

  test('counts position by position, and at most the displayed amount of each', () => {
    expect(free([['a', '4']], holding('a', '9'))).toBe('4');
    expect(free([['a', '4']], holding('a', '3'))).toBe('3');
    expect(
      free(
        [
          ['a', '4'],
          ['b', '2'],
        ],
        holding('a', '3'),
        holding('b', '9'),
      ),
    ).toBe('5');
  });

  test('excludes other positions, and a missing or oversold one gives nothing', () => {
    expect(free([['a', '4']], holding('b', '9'))).toBe('0');
    expect(
      free(
        [
          ['a', '4'],
          ['b', '2'],
        ],
        holding('a', '-3'),
        holding('b', '2'),
      ),
    ).toBe('2');
  });
});
