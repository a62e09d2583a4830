import type { NodeStates } from '../../strategy/graph/types.ts';
import { PASS, shownOrder } from './driver.ts';
import type { BacktestInput } from './input.ts';
import { play } from './run.ts';

/** How a run stood at an instant: what each node said last, what was held, which orders were open. JSON values. */
export type Stood = {
  readonly at: string;
  readonly nodes: NodeStates;
  readonly positions: readonly { readonly tokenId: string; readonly amount: string }[];
  readonly openOrders: number;
};

/**
 * Plays the run that is shown from its beginning up to an instant: what it then knows is what the whole run knew. Of a run over
 * several instruments, the first one's.
 */
export function stoodAt(input: BacktestInput, at: string, isCanceled: () => boolean): Stood {
  const request = { ...input.request, to: at, checks: false };
  const pass = { ...PASS, goesOn: () => !isCanceled() };
  const { highLow } = shownOrder(input, pass);
  const { sessions } = play({ ...input, request }, { ...pass, highLow });
  const seen = sessions[0]?.snapshot();
  return {
    at,
    nodes: seen?.nodes ?? {},
    positions: (seen?.positions ?? [])
      .filter(({ amount }) => Number(amount) > 0)
      .map(({ token_id, amount }) => ({ tokenId: token_id, amount: String(amount) })),
    openOrders: seen?.orders.length ?? 0,
  };
}
