/** Lag at the minute: how late strategies on one-minute candles have stored their step of each candle. */

import { tickInstantAt, tickPhaseOf } from '../../server/workers/trading/shards/tick-times.ts';

const MINUTE_MS = 60_000;

/** A tick that stored the states of deployments, in epoch ms. They are stored at once, so this is the time of each of them. */
export type StoredTick = { shard: number; deployments: number; startedMs: number; storedMs: number };

type Grid = { readonly shardCount: number; readonly periodMs: number };
type Stored = { deployments: number; closeMs: number; lagMs: number; sinceCloseMs: number };

export type MinuteLagFigures = {
  /** Share of the steps of all strategies that were stored; 1: none is missing. All figures are 0 if no candle closed. */
  storedShare: number;
  /** From the instant at which the tick was due, which is the first of its shard after the candle closed. */
  lagP50Ms: number;
  lagP99Ms: number;
  lagMaxMs: number;
  /** From the close of the candle; contains the wait for that instant, up to the period of ticks. */
  sinceCloseP50Ms: number;
  sinceCloseP99Ms: number;
  sinceCloseMaxMs: number;
};

/** Collects the ticks of strategies that store something with each candle, and only then. */
export class MinuteLag {
  readonly #grid: Grid;
  /** By shard: the close of the newest candle that it has stored. */
  readonly #newestMs = new Map<number, number>();
  readonly #stored: Stored[] = [];

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** A tick steps every candle that closed before it began. One that began just before a close steps that candle, too. */
  add({ shard, deployments, startedMs, storedMs }: StoredTick): void {
    const newestMs = this.#newestMs.get(shard);
    const begunMs = minuteOf(startedMs);
    const lastMs = begunMs > (newestMs ?? 0) ? begunMs : minuteOf(storedMs);
    this.#newestMs.set(shard, lastMs);
    if (newestMs === undefined) return;
    const { shardCount, periodMs } = this.#grid;
    const phaseMs = tickPhaseOf(shard, shardCount, periodMs);
    for (let closeMs = Math.min(newestMs + MINUTE_MS, lastMs); closeMs <= lastMs; closeMs += MINUTE_MS) {
      const dueMs = tickInstantAt(closeMs + periodMs - 1, periodMs, phaseMs);
      const lagMs = Math.max(0, storedMs - dueMs);
      this.#stored.push({ deployments, closeMs, lagMs, sinceCloseMs: storedMs - closeMs });
    }
  }

  /** Returns the figures of the candles that closed in a span. Each strategy counts once for each candle. */
  figures(strategies: number, { fromMs, untilMs }: { fromMs: number; untilMs: number }): MinuteLagFigures {
    const seen = this.#stored.filter(({ closeMs }) => closeMs > fromMs && closeMs <= untilMs);
    const candles = (minuteOf(untilMs) - minuteOf(fromMs)) / MINUTE_MS;
    const share = countOf(seen) / Math.max(1, candles * strategies);
    return {
      storedShare: Number(share.toFixed(4)),
      lagP50Ms: quantile(seen, 0.5, 'lagMs'),
      lagP99Ms: quantile(seen, 0.99, 'lagMs'),
      lagMaxMs: quantile(seen, 1, 'lagMs'),
      sinceCloseP50Ms: quantile(seen, 0.5, 'sinceCloseMs'),
      sinceCloseP99Ms: quantile(seen, 0.99, 'sinceCloseMs'),
      sinceCloseMaxMs: quantile(seen, 1, 'sinceCloseMs'),
    };
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

const countOf = (stored: readonly Stored[]): number =>
  stored.reduce((sum, { deployments }) => sum + deployments, 0);

/** Returns the nearest rank over deployments; 0 without any. */
function quantile(stored: readonly Stored[], share: number, figure: 'lagMs' | 'sinceCloseMs'): number {
  let left = share * countOf(stored);
  for (const tick of stored.toSorted((a, b) => a[figure] - b[figure])) {
    left -= tick.deployments;
    if (left <= 0) return tick[figure];
  }
  return 0;
}
