/** State that the parts of the simulated Binance share. */
import type { Reply } from '../../reply.ts';
import type { Exchange } from '../exchange.ts';
import type { Clearing } from './clearing.ts';
import type { RequestLimits } from './limits.ts';

export type BinanceState = {
  readonly exchange: Exchange;
  readonly clearing: Clearing;
  readonly limits: RequestLimits;
  /** Key: the venue's order id. Value: the id under which its cancel was requested. */
  readonly cancelIds: Map<string, string>;
};

export const replyCodeOf = ({ body }: Reply): unknown => (body as { code?: unknown } | null)?.code;
