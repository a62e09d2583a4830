import type { DailyReturn } from '../../../books/statistics/daily-returns.ts';
import { REGIMES, regimesByDay } from '../../../books/statistics/regimes.ts';
import type { Trade } from '../../../books/statistics/trade-tracker.ts';
import { exact, sumOf, ZERO } from '../../../platform/decimal.ts';
import type { AttributionRow, BacktestSummary } from '../result.ts';

type Key = Exclude<keyof BacktestSummary['attribution'], 'regime'> | 'day';
type Totals = { trades: number; wins: number; profit: typeof ZERO };

const DAY_MS = 86_400_000;
/** The nodes and instruments listed, those with the largest result first. */
const LISTED_MAX = 12;

/** Attributes the results of ended trades to the node, instrument, hour, weekday (UTC) and regime of their entry. */
export class Attribution {
  readonly #entryNodes = new Map<string, string>();
  readonly #totals: Readonly<Record<Key, Map<string, Totals>>> = {
    node: new Map(),
    instrument: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  };

  /** Takes a fill before the trade that it may end: the first one of a holding is its entry. */
  fill(holding: string, nodeId: string): void {
    if (!this.#entryNodes.has(holding)) this.#entryNodes.set(holding, nodeId);
  }

  end({ holding, openedAtMs, pnl }: Pick<Trade, 'holding' | 'openedAtMs' | 'pnl'>): void {
    const opened = new Date(openedAtMs);
    this.#add('node', this.#entryNodes.get(holding) ?? '', pnl);
    this.#add('instrument', holding, pnl);
    this.#add('hour', String(opened.getUTCHours()), pnl);
    this.#add('weekday', String(opened.getUTCDay()), pnl);
    this.#add('day', String(Math.floor(openedAtMs / DAY_MS)), pnl);
    this.#entryNodes.delete(holding);
  }

  /** @param market daily returns of the benchmark; null without one, and then no regime is known. */
  rows(market: readonly DailyReturn[] | null): BacktestSummary['attribution'] {
    return {
      node: this.#largest('node'),
      instrument: this.#largest('instrument'),
      hour: this.#inOrder('hour'),
      weekday: this.#inOrder('weekday'),
      regime: market === null ? [] : this.#byRegime(market),
    };
  }

  #byRegime(market: readonly DailyReturn[]): AttributionRow[] {
    const regimes = regimesByDay(market);
    const days = Map.groupBy(this.#totals.day, ([day]) => regimes.get(Number(day)) ?? 'unknown');
    return REGIMES.flatMap((of) => {
      const all = (days.get(of) ?? []).map(([, totals]) => totals);
      if (all.length === 0) return [];
      return {
        of,
        trades: all.reduce((sum, { trades }) => sum + trades, 0),
        wins: all.reduce((sum, { wins }) => sum + wins, 0),
        profit: sumOf(all.map(({ profit }) => profit)).toFixed(),
      };
    });
  }

  #add(key: Key, value: string, pnlText: string): void {
    const pnl = exact(pnlText);
    const { trades, wins, profit } = this.#totals[key].get(value) ?? { trades: 0, wins: 0, profit: ZERO };
    this.#totals[key].set(value, {
      trades: trades + 1,
      wins: wins + (pnl.gt(0) ? 1 : 0),
      profit: profit.plus(pnl),
    });
  }

  #listed(key: Key): AttributionRow[] {
    return [...this.#totals[key]].map(([of, { trades, wins, profit }]) => ({
      of,
      trades,
      wins,
      profit: profit.toFixed(),
    }));
  }

  #largest(key: Key): AttributionRow[] {
    const size = ({ profit }: AttributionRow) => Math.abs(Number(profit));
    return this.#listed(key)
      .sort((a, b) => size(b) - size(a) || (a.of < b.of ? -1 : 1))
      .slice(0, LISTED_MAX);
  }

  #inOrder(key: Key): AttributionRow[] {
    return this.#listed(key).sort((a, b) => Number(a.of) - Number(b.of));
  }
}
