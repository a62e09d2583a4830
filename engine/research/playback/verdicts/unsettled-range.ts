import { exact, sumOf, ZERO } from '../../../platform/decimal.ts';
import type { BacktestSummary } from '../result.ts';
import type { SimulatedDeployment } from '../simulated-deployment.ts';

/** Values holdings of closed contracts without settlement: as marked, at 0 and at 1. Null without any. */
export function equityRangeOfUnsettled(
  sessions: readonly SimulatedDeployment[],
  finalEquity: string,
  atMs: number,
): BacktestSummary['unsettled'] {
  const held = sessions.flatMap(({ trader, market }) =>
    [...trader.account.rows.positions.values()].flatMap(({ token_id, amount }) => {
      const row = market.rowOf(token_id);
      if (row === undefined || row.kind !== 'outcome' || !exact(amount).gt(0)) return [];
      const hasClosed =
        row.status !== 'open' || (row.closes_at !== null && Date.parse(row.closes_at) <= atMs);
      if (!hasClosed || row.settlement_value !== null) return [];
      return [{ amount: exact(amount), worth: exact(amount).times(market.bidOf(token_id, atMs) ?? ZERO) }];
    }),
  );
  if (held.length === 0) return null;
  const worth = sumOf(held.map((each) => each.worth));
  const low = exact(finalEquity).minus(worth);
  const high = low.plus(sumOf(held.map(({ amount }) => amount)));
  return { count: held.length, worth: worth.toFixed(), low: low.toFixed(), high: high.toFixed() };
}
