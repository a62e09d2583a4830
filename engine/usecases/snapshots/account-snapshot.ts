import { inSnapshot } from '../../../db/transaction.ts';
import { type BlueprintResult, resultsByBlueprint } from '../../books/accounting/performance.ts';
import {
  type AccountNow,
  accountNow,
  listPositions,
  type PositionView,
} from '../../books/accounting/portfolio.ts';
import type { Work } from '../../platform/context.ts';
import type { Suspension } from '../../risk/risk-snapshot.ts';
import type { RuleUsage } from '../../risk/rule-usage.ts';
import { riskUsage } from '../risk-rules/usage.ts';

/** The account, its positions, the result of each strategy and the used part of each limit, all at `asOf`. */
export type AccountSnapshot = AccountNow & {
  asOf: string;
  positions: PositionView[];
  strategies: BlueprintResult[];
  limits: RuleUsage[];
  suspension: Suspension | null;
};

/** Reads all numbers that a screen shows together from one snapshot of the database: prices do not move between them. */
export const accountSnapshot = (work: Work): Promise<AccountSnapshot> =>
  inSnapshot(work, async (at) => {
    const { at: asOf, lines: limits, suspension } = await riskUsage(at);
    return {
      ...(await accountNow(at)),
      asOf,
      positions: await listPositions(at),
      strategies: await resultsByBlueprint(at),
      limits,
      suspension,
    };
  });
