/** What makes values move. */
import type { CandleInterval } from '../../../venues/port.ts';

/**
 * What makes a value move. `CONSTANT` never does, `TICK` may at every evaluation; a number from 0 up is
 * the index of a series in `Plan.clocks` and moves once per closed candle of it.
 */
export type Clock = number;
export const CONSTANT: Clock = -1;
export const TICK: Clock = -2;

export type CandleClock = {
  readonly key: string;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Clocks of the series that some node reads together with this one: candles of one instant are stepped together. */
  readonly peers: readonly Clock[];
};
