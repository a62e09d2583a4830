/** Clocks of values. */
import type { CandleInterval } from '../../../venues/port.ts';

/**
 * The clock on which a value changes. `CONSTANT`: never. `TICK`: possibly at every evaluation. A number from 0 up: once per
 * closed candle of the series with this index in `Plan.clocks`.
 */
export type UpdateClock = number;
export const CONSTANT: UpdateClock = -1;
export const TICK: UpdateClock = -2;

export type CandleClock = {
  readonly key: string;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Clocks of series that some node reads together with this one: candles of one instant are stepped together. */
  readonly peers: readonly UpdateClock[];
};
