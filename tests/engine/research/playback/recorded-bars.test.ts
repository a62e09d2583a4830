/** Four strategies over 121,739 recorded bars, traded here and once more by `tests/reference/bars_statistics.py`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { HeldPoint } from '../../../../engine/books/statistics/statistics.ts';
import type { TradeEvent } from '../../../../engine/books/statistics/trade-tracker.ts';
import { type Exact, exact, sumOf, ZERO } from '../../../../engine/platform/decimal.ts';
import { type Bars, recordedBars } from '../../../support/bars.ts';
import { expectClose, namedFigures, play, type TradingSpan } from '../../books/statistics/trading-span.ts';

type Scenario = {
  readonly name: string;
  readonly fast: number;
  readonly slow: number;
  readonly amount: string;
  readonly fee: string;
  readonly half: boolean;
  readonly bars: number | null;
  readonly expected: Readonly<Record<string, unknown>>;
};
const REFERENCE: { readonly bars: number; readonly scenarios: readonly Scenario[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../reference/bars_statistics.json'), 'utf8'),
);
const START = '100000';
/** Half of the holding is sold this number of bars after the purchase. */
const HALF_AFTER = 12;

type Candle = {
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  readonly open: number;
  readonly close: number;
};

const candlesOf = ({ columns, count }: Bars): Candle[] =>
  Array.from({ length: count }, (_, row) => ({
    openTimeMs: columns.openTimeMs[row] ?? 0,
    closeTimeMs: columns.closeTimeMs[row] ?? 0,
    open: columns.open[row] ?? 0,
    close: columns.close[row] ?? 0,
  }));

/** Buys at the open after the fast average rose above the slow one. Sells at the open after it fell to it or below. */
function trade(bars: readonly Candle[], { fast, slow, amount, fee, half }: Scenario): TradingSpan {
  let [cash, held, boughtAt] = [exact(START), ZERO, 0];
  let [fastSum, slowSum] = [0, 0];
  let [isAbove, wasAbove]: (boolean | null)[] = [null, null];
  const cents = bars.map((bar) => Math.round(bar.close * 100));
  const events: TradeEvent[] = [];
  const points: HeldPoint[] = [];
  const wish = (place: number): { side: 'buy' | 'sell'; amount: Exact } | null => {
    if (isAbove !== null && wasAbove !== null && isAbove !== wasAbove) {
      if (isAbove) return { side: 'buy', amount: exact(amount) };
      return held.isZero() ? null : { side: 'sell', amount: held };
    }
    const isHalfDue = half && held.eq(amount) && place - boughtAt === HALF_AFTER;
    return isHalfDue ? { side: 'sell', amount: held.div(2) } : null;
  };
  for (const [place, bar] of bars.entries()) {
    const wanted = wish(place);
    if (wanted !== null) {
      const notional = wanted.amount.times(bar.open);
      const paid = notional.times(fee);
      const sign = wanted.side === 'buy' ? 1 : -1;
      cash = cash.minus(notional.times(sign)).minus(paid);
      held = held.plus(wanted.amount.times(sign));
      if (wanted.side === 'buy') boughtAt = place;
      events.push({
        kind: 'fill',
        holding: 'a',
        atMs: bar.openTimeMs,
        side: wanted.side,
        amount: wanted.amount.toFixed(),
        price: String(bar.open),
        fee: paid.toFixed(),
      });
    }
    const atMs = bar.closeTimeMs + 1;
    if (!held.isZero()) events.push({ kind: 'mark', holding: 'a', atMs, price: String(bar.close) });
    const worth = held.times(bar.close);
    points.push({ atMs, equity: cash.plus(worth).toFixed(), held: worth.toFixed() });
    fastSum += (cents[place] ?? 0) - (cents[place - fast] ?? 0);
    slowSum += (cents[place] ?? 0) - (cents[place - slow] ?? 0);
    if (place + 1 >= slow) [wasAbove, isAbove] = [isAbove, fastSum * slow > slowSum * fast];
  }
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('There are no bars.');
  return { fromMs: first.openTimeMs, toMs: last.closeTimeMs + 1, start: START, events, points };
}

test.each(REFERENCE.scenarios)(
  'row 1: an independent implementation agrees on 121,739 recorded bars: $name',
  (scenario) => {
    const bars = candlesOf(recordedBars());
    expect(bars).toHaveLength(REFERENCE.bars);
    const seen = namedFigures(play(trade(bars.slice(0, scenario.bars ?? bars.length), scenario)));
    const excursions = {
      'worst of all': sumOf(seen.trades.map(({ worstPnl }) => worstPnl)).toFixed(),
      'best of all': sumOf(seen.trades.map(({ bestPnl }) => bestPnl)).toFixed(),
    };
    expectClose({ ...seen, ...excursions }, scenario.expected, scenario.name);
  },
);
