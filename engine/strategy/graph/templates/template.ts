import type { Json } from '../../../../db/json.ts';

/** Kinds of strategies, in the order of the console. */
export const TEMPLATE_GROUPS = ['trend', 'reversion', 'prediction', 'orders', 'portfolio'] as const;
export type TemplateGroup = (typeof TEMPLATE_GROUPS)[number];

/** The instruments that templates trade in place of those in their texts, as tokenIds. */
export type TemplateInstruments = {
  /** An outcome of venue A: `TICKER:yes` or `TICKER:no`. */
  readonly outcomeA: string;
  /** A token of venue B. */
  readonly outcomeB: string;
};

export type Template = {
  /** Stable name, for links and tests; that of its text. */
  readonly key: string;
  readonly group: TemplateGroup;
  readonly name: string;
  /** Describes the template in a sentence or two. */
  readonly summary: string;
  /** Says in one sentence what loses money. */
  readonly risk: string;
  readonly visual: (instruments: TemplateInstruments) => Json;
};

/** A backtest of a template over recorded prices, written by `docs/write-template-backtests.ts`. Money in USD. */
export type TemplateBacktest = {
  readonly from: string;
  readonly to: string;
  /** The pairs and questions that it trades, by name. */
  readonly markets: string[];
  /** At the start, and at the end of each day. */
  readonly equity: number[];
  /** Return of holding its coins in equal parts from the start, bought at the ask with the fee; 0.02 is 2 %. Null with contracts. */
  readonly buyAndHold: number | null;
  /** The largest part of equity that was held at once, 0 to 1. */
  readonly maxExposure: number;
  /** Orders with a fill. */
  readonly filled: number;
  /** Messages to read before the curve, most severe first. */
  readonly verdicts: TemplateVerdict[];
};

export type TemplateVerdict = {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'danger';
  readonly message: string;
  readonly count?: number;
};
