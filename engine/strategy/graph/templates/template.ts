import type { Json } from '../../../../db/json.ts';

/** The instruments that the examples read and trade, as tokenIds. */
export type TemplateInstruments = {
  /** A crypto symbol quoted in USDT. */
  readonly crypto: string;
  /** Crypto symbols quoted in USDT, which a strategy chooses from. */
  readonly coins: readonly string[];
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
