import { type DailyReturn, DailyReturns, dayOf } from '../../../books/statistics/daily-returns.ts';
import { exact } from '../../../platform/decimal.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import { rawFee } from '../../../trading/orders/terms/fees.ts';
import { type PriceChoice, rowsAs } from '../bars/choose-prices.ts';
import { Spread } from '../bars/top-of-book.ts';
import type { BacktestInput } from '../input.ts';
import type { Stretch } from './price-coverage.ts';

type Held = { readonly instrument: InstrumentRow; readonly choice: PriceChoice };

/**
 * The daily returns of holding each traded coin in equal parts. They are bought at the first offer with its fee, and valued at
 * the bid. Null if anything else is traded: a contract that settles has no such holding. Null too if a coin was never offered.
 */
export function buyAndHoldReturns(
  input: BacktestInput,
  choices: readonly PriceChoice[],
  traded: readonly string[],
  span: Stretch,
): DailyReturn[] | null {
  const tokenIds = [...new Set(traded)];
  const held = tokenIds.flatMap((tokenId): Held[] => {
    const instrument = input.facts.find((fact) => fact.instrument.token_id === tokenId)?.instrument;
    const choice = choices.find((each) => each.tokenId === tokenId);
    return instrument?.kind === 'spot' && choice !== undefined ? [{ instrument, choice }] : [];
  });
  if (held.length === 0 || held.length < tokenIds.length) return null;
  const curves = held.map((each) => worthByDay(each, input, span));
  if (curves.some(({ size }) => size === 0)) return null;
  const days = [...new Set(curves.flatMap((curve) => [...curve.keys()]))].sort((a, b) => a - b);
  const returns = new DailyReturns('1');
  const worths = curves.map(() => 1);
  for (const day of days) {
    for (const [index, curve] of curves.entries()) worths[index] = curve.get(day) ?? worths[index] ?? 1;
    const equity = worths.reduce((all, worth) => all + worth, 0) / worths.length;
    returns.add({ atMs: (day + 1) * DAY_MS, equity: String(equity) });
  }
  return [...returns.returns()];
}

const DAY_MS = 86_400_000;

/** The worth at the end of each day of one USD spent on a coin. */
function worthByDay(
  { instrument, choice }: Held,
  input: BacktestInput,
  { fromMs, toMs }: Stretch,
): Map<number, number> {
  const worths = new Map<number, number>();
  let units = 0;
  const take = (atMs: number, bid: number | null, ask: number | null): void => {
    if (atMs <= fromMs || atMs > toMs) return;
    if (units === 0 && ask !== null && ask > 0)
      units = unitsForOneUsd(instrument, ask, input.request.fees !== 'none');
    if (units > 0 && bid !== null) worths.set(dayOf(atMs), units * bid);
  };
  if (choice.kind === 'recorded') {
    const quotes = input.recorded.find(({ tokenId }) => tokenId === choice.tokenId)?.quotes ?? [];
    for (const { atMs, bid, ask } of quotes) take(atMs, bid, ask);
  } else if (choice.kind === 'candle' && choice.history !== null) {
    const spread = new Spread(
      choice.halfSpread ?? { fixed: 0, share: 0 },
      Number(instrument.tick_size),
      false,
    );
    const { columns, count } = rowsAs(choice.history, 'candle');
    for (let row = 0; row < count; row++) {
      const close = columns.close[row] as number;
      take((columns.closeTimeMs[row] as number) + 1, spread.bidOf(close), spread.askOf(close));
    }
  }
  return worths;
}

function unitsForOneUsd(instrument: InstrumentRow, ask: number, hasFees: boolean): number {
  const fee = hasFees ? rawFee(knownSchedule(instrument), 'taker', exact(ask), exact(1)).toNumber() : 0;
  return 1 / (ask + fee);
}
