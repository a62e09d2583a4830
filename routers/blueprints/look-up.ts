import type { Admit } from '../../engine/usecases/blueprints/running/look-up.ts';
import type { AccountContext } from '../trpc.ts';

/** What a venue is asked for a drawing counts as market data its caller asks for, whoever answers in the end. */
export const admitLookUp =
  ({ limits, principal }: AccountContext): Admit =>
  async () => {
    const { refusal } = await limits.consume(principal, 'market_data');
    if (refusal) throw refusal;
  };
