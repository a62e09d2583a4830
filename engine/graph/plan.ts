/** What a graph is compiled into: flat slots and closures, so that an evaluation is a few loops over arrays. */
import type { CandleInterval } from '../../venues/port.ts';
import type { Run } from './run.ts';
import type { Needs, Unknown, Value } from './types.ts';

/**
 * What makes a value move. `CONSTANT` never does, `TICK` may at every evaluation; a number from 0 up is
 * the index of a series in `Plan.clocks` and moves once per closed candle of it.
 */
export type Clock = number;
export const CONSTANT: Clock = -1;
export const TICK: Clock = -2;

/** A slot that no edge leads to. */
export const NOT_CONNECTED = -1;

export interface CandleClock {
  readonly key: string;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Clocks of the series that some node reads together with this one: candles of one instant are stepped together. */
  readonly peers: readonly Clock[];
}

/** Computes the value of one slot from slots computed before it. */
export interface Step {
  readonly slot: number;
  readonly compute: (run: Run) => Value;
}

/** What a node does besides giving a value: remember its inputs at the end of a step, or act on them. */
export interface Effect {
  readonly slot: number;
  readonly apply: (run: Run) => void;
}

/** A compiled graph. It holds closures, so it is not JSON; callers read `nodeIds` and `needs` only. */
export interface Plan {
  /** Ids of the executable nodes in the order of the drawing; a node's slot is its place here. */
  readonly nodeIds: readonly string[];
  /** By slot: JSON Pointer to the node in the drawing. */
  readonly paths: readonly string[];
  readonly needs: Needs;
  readonly clocks: readonly CandleClock[];
  /** Slots of nodes and, behind them, of the bridges that watch over the age of candle values. */
  readonly slots: number;
  /** In topological order. */
  readonly steps: readonly Step[];
  /** End of step: memory nodes take up their inputs. */
  readonly settles: readonly Effect[];
  /** Sells before buys before the rest, then in the order of the drawing. */
  readonly actions: readonly Effect[];
  /** By slot: the slots it reads, nearest first for the inputs of an intent. */
  readonly reads: readonly (readonly number[])[];
  /** By slot: the age of what a source reads; `null` for nodes that only calculate. */
  readonly asOf: readonly (((run: Run) => number | null) | null)[];
  /** By slot: what a limit says against one more buy; `null` for nodes that limit nothing. */
  readonly limits: readonly (((run: Run) => Unknown | null) | null)[];
}
