import type { Admit } from '../../engine/blueprints/look-up.ts';
import type { Principal } from '../principal.ts';
import type { Context } from '../trpc.ts';

export type Caller = Context & { principal: Principal };

/** What a venue is asked for a drawing counts as market data its caller asks for, whoever answers in the end. */
export const admitLookUp =
  ({ limits, principal }: Caller): Admit =>
  async () => {
    const { refusal } = await limits.consume(principal, 'market_data');
    if (refusal) throw refusal;
  };
