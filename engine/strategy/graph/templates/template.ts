import type { Json } from '../../../../db/json.ts';

/** The instruments the examples look at and trade, as tokenIds. */
export type TemplateInstruments = {
  /** A crypto symbol quoted in USDT. */
  readonly crypto: string;
  /** An outcome of venue A: `TICKER:yes` or `TICKER:no`. */
  readonly outcomeA: string;
  /** A token of venue B. */
  readonly outcomeB: string;
};

export type Template = {
  /** Stable name, for links and tests. */
  readonly key: string;
  readonly name: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  readonly visual: (instruments: TemplateInstruments) => Json;
};
