import type { NodeStates } from '../../strategy/graph/types.ts';
import type { BacktestInput } from './input.ts';
import { PLAIN_PASS, reportedHighLow } from './run-backtest.ts';
import { runPass } from './run-pass.ts';

/** State of a run at an instant: last output of each node, holdings, open orders. JSON values. */
export type RunState = {
  readonly at: string;
  readonly nodes: NodeStates;
  readonly positions: readonly { readonly tokenId: string; readonly amount: string }[];
  readonly openOrders: number;
};

/**
 * Replays the shown run from its beginning up to an instant, with the same knowledge as the whole run. For a run over several
 * instruments, it replays the first one.
 */
export function runStateAt(input: BacktestInput, at: string, isCanceled: () => boolean): RunState {
  const request = { ...input.request, to: at, checks: false };
  const pass = { ...PLAIN_PASS, goesOn: () => !isCanceled() };
  const { highLow } = reportedHighLow(input, pass);
  const { sessions } = runPass({ ...input, request }, { ...pass, highLow });
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
