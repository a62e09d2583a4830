import type { AdmitLookUp } from '../engine/usecases/blueprints/running/look-up.ts';
import type { AccountContext } from './context.ts';

/** Counts each look-up at a venue for a graph as a market data request of the caller. */
export const limitVenueLookUps =
  ({ limits, principal }: AccountContext): AdmitLookUp =>
  async () => {
    const { refusal } = await limits.consume(principal, 'market_data');
    if (refusal) throw refusal;
  };
