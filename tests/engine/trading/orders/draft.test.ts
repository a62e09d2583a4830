import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { Market } from '../../../../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import type { FreeHolding } from '../../../../engine/trading/orders/terms/allocate.ts';
import { type DraftRequest, draftOrder } from '../../../../engine/trading/orders/terms/draft.ts';
import { market, NOW, refusalOf } from './market.ts';

const HELD: FreeHolding[] = [{ positionId: 'p', blueprintId: 'b', held: exact('10.5'), free: exact('8.5') }];

const draft = (request: Partial<DraftRequest>, of: Market = market(), holdings: FreeHolding[] = []) =>
  draftOrder(
    { origin: 'order', side: 'buy', type: 'limit', amount: '10', limitPrice: '0.5', ...request },
    of,
    holdings,
    NOW,
    DEFAULT_TRADING_SETTINGS,
  );

const refused = (...terms: Parameters<typeof draft>) => refusalOf(() => draft(...terms));
const refusal = (...terms: Parameters<typeof draft>) => {
  const { code, message } = refused(...terms);
  return { code, message };
};

describe('prices', () => {
  test('a limit order keeps its limit, on the tick and never worse than asked', () => {
    expect(draft({ limitPrice: '0.509' }).limitPrice.toFixed()).toBe('0.5');
    expect(
      draft({ side: 'sell', limitPrice: '0.501', amount: '5' }, market(), HELD).limitPrice.toFixed(),
    ).toBe('0.51');
  });

  test('a market order is bound to its quote, moved by the slippage cap', () => {
    expect(draft({ type: 'market' }).limitPrice.toFixed()).toBe('0.52');
    expect(draft({ type: 'market', slippage: '0.05' }).limitPrice.toFixed()).toBe('0.55');
    const sell = draft({ type: 'market', side: 'sell', amount: '5' }, market(), HELD);
    expect(sell.limitPrice.toFixed()).toBe('0.46');
    expect(sell.decidedQuote).toEqual({ bid: '0.48', ask: '0.5', last: null, asOf: NOW.toISOString() });
  });

  test('"0.5 % for crypto": the usual cap is the venue\'s kind', () => {
    const crypto = market({ instrument: { venue: 'crypto', kind: 'spot' }, quote: { ask: '200' } });
    expect(draft({ type: 'market' }, crypto).limitPrice.toFixed()).toBe('201');
  });

  test('"a quote at most 10 s old": one of 10 s will do, an older one and none at all are 503', () => {
    expect(draft({ type: 'market' }, market({ ageMs: 10_000 })).limitPrice.toFixed()).toBe('0.52');
    expect(refusal({ type: 'market' }, market({ ageMs: 10_001 }))).toEqual({
      code: 'quote_unavailable',
      message:
        'No quote of KXTEST:yes is younger than 10 seconds: the last one is of 2026-11-20T11:59:49.999Z. Try again in a moment.',
    });
    expect(refusal({ type: 'market' }, market({ quote: null })).message).toContain('there is none yet');
  });

  test('"No bid to sell to: 403 `no_liquidity`", and no ask to buy from', () => {
    expect(
      refusal({ type: 'market', side: 'sell', amount: '5' }, market({ quote: { bid: null } }), HELD),
    ).toEqual({
      code: 'no_liquidity',
      message: 'There is no bid to sell to in KXTEST:yes now.',
    });
    expect(refusal({ type: 'market' }, market({ quote: { ask: null } }))).toEqual({
      code: 'no_liquidity',
      message: 'There is no ask to buy from in KXTEST:yes now.',
    });
  });

  test('a limit buy needs no quote; a limit sell does, because the bid sizes it', () => {
    expect(draft({}, market({ quote: null })).decidedQuote).toBeNull();
    expect(refusal({ side: 'sell', amount: '5' }, market({ ageMs: 30_001 }), HELD).code).toBe(
      'quote_unavailable',
    );
    expect(draft({ side: 'sell', amount: '5' }, market({ ageMs: 30_000 }), HELD).size.toFixed()).toBe('2.5');
  });

  test.each(['0', '1', '1.5', '0.001'])(
    '"Prediction prices are 0 to 1": none has a limit price of %s',
    (limitPrice) => {
      const { code, message, issues } = refused({ limitPrice });
      expect({ code, issues }).toEqual({
        code: 'validation_failed',
        issues: [{ path: '/limitPrice', code: 'invalid_value', message }],
      });
      expect(message).toContain('on the tick of 0.01: it must be between 0 and 1.');
    },
  );

  test('crypto may cost more than 1, and a limit order must say its limit', () => {
    const crypto = market({ instrument: { venue: 'crypto', kind: 'spot' } });
    expect(draft({ limitPrice: '86000.5' }, crypto).limitPrice.toFixed()).toBe('86000.5');
    expect(refusal({ limitPrice: '0' }, crypto).message).toContain('it must be above 0');
    expect(refusal({ limitPrice: undefined }).message).toBe('A limit order needs a limit price.');
  });
});

describe('amounts', () => {
  test('"Computed amounts round down to the venue\'s step"', () => {
    expect(draft({ amount: '10.99' }).amount.toFixed()).toBe('10');
  });

  test('"below the venue\'s minimum nothing is sent and the reason is said"', () => {
    expect(refusal({ amount: '0.99' })).toEqual({
      code: 'validation_failed',
      message: "The amount rounds down to 0: the venue's step is 1.",
    });
    expect(refusal({ amount: '1' }, market({ instrument: { min_notional: '1' } })).message).toContain(
      "below the venue's minimum of 1 USD",
    );
  });

  test('a buy is measured at its limit, whatever the market would pay', () => {
    const of = market({ instrument: { min_notional: '2' }, quote: { bid: '0.9' } });
    expect(refusal({ amount: '4', limitPrice: '0.4' }, of).message).toContain('1.6 USD');
  });

  test('a computed buy that happens to equal what is held is put on the step like any other', () => {
    expect(draft({ amount: '10.5' }, market(), HELD).amount.toFixed()).toBe('10');
  });

  test('a limit sell without a bid is measured at its limit', () => {
    const unbid = market({ instrument: { min_notional: '2.5' }, quote: { bid: null } });
    expect(draft({ side: 'sell', amount: '5', limitPrice: '0.5' }, unbid, HELD).size.toFixed()).toBe('2.5');
    expect(refusal({ side: 'sell', amount: '5', limitPrice: '0.49' }, unbid, HELD).code).toBe(
      'validation_failed',
    );
  });

  test('a sell is measured against the venue minimum at its bid', () => {
    const of = market({ instrument: { min_notional: '2' }, quote: { bid: '0.5' } });
    expect(draft({ side: 'sell', amount: '4', limitPrice: '0.01' }, of, HELD).size.toFixed()).toBe('2');
  });

  test('"A close off the step is 400 naming the step, except for a whole remainder"', () => {
    const close = { origin: 'manual', side: 'sell', type: 'market' } as const;
    expect(refusal({ ...close, amount: '2.5' }, market(), HELD).message).toBe(
      'The amount 2.5 is not a multiple of 1, the step of KXTEST:yes. Close a multiple of it, or all 10.5.',
    );
    expect(draft({ ...close, amount: '10.5' }, market(), HELD).amount.toFixed()).toBe('10.5');
    expect(draft({ ...close, amount: '3' }, market(), HELD).amount.toFixed()).toBe('3');
  });

  test.each(['exit', 'close'] as const)('an %s node sells what is free at most', (origin) => {
    const sell = { origin, side: 'sell', type: 'market' } as const;
    expect(draft({ ...sell, amount: '10.5' }, market(), HELD).amount.toFixed()).toBe('8');
    expect(draft({ ...sell, amount: '3' }, market(), HELD).amount.toFixed()).toBe('3');
    const whole = [{ ...HELD[0], positionId: 'p', blueprintId: 'b', held: exact('8.5'), free: exact('8.5') }];
    expect(draft({ ...sell, amount: '9' }, market(), whole).amount.toFixed()).toBe('8.5');
    const none = [{ positionId: 'p', blueprintId: 'b', held: exact(9), free: exact(0) }];
    expect(draft({ ...sell, amount: '9' }, market(), none).amount.toFixed()).toBe('9');
  });

  test('an order node is not reduced: the rules deny more than the holding', () => {
    expect(draft({ side: 'sell', amount: '10' }, market(), HELD).amount.toFixed()).toBe('10');
  });

  test.each(['0', '-1'])('an amount of %s is refused, and the field is named', (amount) => {
    const { message, issues } = refused({ amount });
    expect(message).toBe(`The amount must be above 0, got ${amount}.`);
    expect(issues).toEqual([{ path: '/amount', code: 'invalid_value', message }]);
  });
});

describe('markets', () => {
  test.each(['paused', 'closed', 'settled'] as const)(
    'nothing is drafted in a market that is %s',
    (status) => {
      const message = `The market of KXTEST:yes is ${status}, not open.`;
      expect(refusal({}, market({ instrument: { status, settlement_value: '1' } }))).toEqual({
        code: 'market_not_open',
        message,
      });
      expect(refusal({}, market({ quote: { market_status: status } }))).toEqual({
        code: 'market_not_open',
        message,
      });
    },
  );

  test('"instruments quoted in anything else are data only"', () => {
    const inEuro = market({ instrument: { tradable: false, quote_currency: 'EUR' } });
    expect(refusal({}, inEuro).message).toBe(
      'KXTEST:yes is quoted in EUR or has no fee we know: it is data only.',
    );
  });
});

test('size and maximum fee are of the drafted order', () => {
  const { size, maxFee } = draft({ amount: '10.5', limitPrice: '0.4' });
  expect(size.toFixed()).toBe('4');
  expect(maxFee.toFixed()).toBe('0.168');
});
