import { describe, expect, test } from 'vitest';
import {
  refuseClosedMarket,
  requireFreshQuote,
} from '../../../../engine/trading/orders/terms/market-checks.ts';
import { market, NOW, refusalOf } from './market.ts';

describe('a quote to decide by', () => {
  test('has at most the requested age', () => {
    const of = market({ ageMs: 30_000 });
    expect(requireFreshQuote(of, NOW, 30_000)).toBe(of.quote);
    expect(refusalOf(() => requireFreshQuote(of, NOW, 29_999))).toMatchObject({
      code: 'quote_unavailable',
      retryAfterSec: 2,
    });
  });

  test('is not of the future: clocks may differ by at most two seconds', () => {
    const of = market({ ageMs: -2_000 });
    expect(requireFreshQuote(of, NOW, 30_000)).toBe(of.quote);
    expect(refusalOf(() => requireFreshQuote(market({ ageMs: -2_001 }), NOW, 30_000))).toMatchObject({
      code: 'quote_unavailable',
    });
  });

  test('reports a missing quote', () => {
    expect(refusalOf(() => requireFreshQuote(market({ quote: null }), NOW, 10_000)).message).toBe(
      'No quote of KXTEST:yes is younger than 10 seconds: there is none yet. Try again in a moment.',
    );
  });
});

describe('a market that can be traded in', () => {
  const enter = (terms: Parameters<typeof market>[0]) => () => refuseClosedMarket(market(terms), 'buy');

  test("is open by its venue's status and by its last quote, if there is one", () => {
    expect(enter({})).not.toThrow();
    expect(enter({ quote: null })).not.toThrow();
  });

  test('is closed as soon as either states so', () => {
    expect(refusalOf(enter({ instrument: { status: 'settled', settlement_value: '1' } }))).toMatchObject({
      code: 'market_not_open',
      message: 'The market of KXTEST:yes is settled, not open.',
    });
    expect(refusalOf(enter({ quote: { market_status: 'paused' } })).message).toBe(
      'The market of KXTEST:yes is paused, not open.',
    );
    expect(refusalOf(enter({ instrument: { status: 'closed' }, quote: null })).message).toContain('closed');
  });

  test('that has ended without a payout states so, and the remedy', () => {
    expect(refusalOf(enter({ instrument: { status: 'settled' } })).message).toBe(
      'The market of KXTEST:yes is settled, and its venue has not said what it pays. The holding can be written off in a web session.',
    );
    const gone = { delisted_at: '2026-11-20 11:00:00+00' };
    expect(refusalOf(enter({ instrument: gone, quote: null }))).toMatchObject({
      code: 'market_not_open',
      message:
        'Its venue does not know KXTEST:yes any more. The holding can be written off in a web session.',
    });
  });

  test('is not one of data only', () => {
    const other = { tradable: false, quote_currency: 'BTC' };
    expect(refusalOf(enter({ instrument: other }))).toMatchObject({
      code: 'validation_failed',
      message: 'KXTEST:yes is quoted in BTC or has no fee we know: it is data only.',
    });
  });
});
