/** Six example blueprints that compile and run: a start for a strategy of one's own. */
import type { Json } from '../../../db/json.ts';
import { accumulation } from './accumulation.ts';
import { dipBuyer } from './dip-buyer.ts';
import { meanReversion } from './mean-reversion.ts';
import { momentum } from './momentum.ts';
import { positionGuard } from './position-guard.ts';
import { probabilityEdge } from './probability-edge.ts';

/** The instruments the examples look at and trade, as tokenIds. */
export interface TemplateInstruments {
  /** A crypto symbol quoted in USDT. */
  readonly crypto: string;
  /** An outcome of venue A: `TICKER:yes` or `TICKER:no`. */
  readonly outcomeA: string;
  /** A token of venue B. */
  readonly outcomeB: string;
}

export interface Template {
  /** Stable name, for links and tests. */
  readonly key: string;
  readonly name: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  readonly visual: (instruments: TemplateInstruments) => Json;
}

export const TEMPLATES: readonly Template[] = [
  momentum,
  meanReversion,
  probabilityEdge,
  dipBuyer,
  positionGuard,
  accumulation,
];
