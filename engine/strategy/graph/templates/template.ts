import type { Json } from '../../../../db/json.ts';

/** The instruments that the examples read and trade, as tokenIds. */
export type TemplateInstruments = {
  /** A crypto symbol quoted in USDT. */
  readonly crypto: string;
  /** Crypto symbols quoted in USDT, which a strategy chooses from. */
  readonly coins: string[];
  /** An outcome of Kalshi: `TICKER:yes` or `TICKER:no`. */
  readonly outcomeA: string;
  /** A token of Polymarket. */
  readonly outcomeB: string;
};

export type Template = {
  /** Stable name, for links and tests. */
  readonly key: string;
  readonly name: string;
  /** Describes the template in a sentence or two. */
  readonly summary: string;
  readonly visual: (instruments: TemplateInstruments) => Json;
};

/** A backtest of a template over recorded prices, written by `docs/write-template-backtests.ts`. Money in USD. */
export type TemplateBacktest = {
  readonly from: string;
  readonly to: string;
  /** The coins whose prices were recorded. */
  readonly coins: string[];
  /** At the start, and at the end of each day. */
  readonly equity: number[];
};
