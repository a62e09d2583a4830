import { z } from 'zod';
import { MODES } from '../../../db/vocabulary.ts';
import { accountSnapshot } from '../../../engine/usecases/snapshots/account-snapshot.ts';
import { PositionView } from '../../portfolio/positions.ts';
import { RuleUsageView } from '../../risk-rules/usage.ts';
import { decimalNumber, listOf, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const StrategyResult = z.object({
  blueprintId: z.uuid(),
  realizedPnl: decimalNumber,
  unrealizedPnl: decimalNumber,
  totalPnl: decimalNumber,
  fees: decimalNumber,
  fills: z.number(),
  lastFillAt: timestamp,
});

export const AccountView = z.object({
  asOf: timestamp,
  runningBlueprints: z.number(),
  openPositions: z.number(),
  pendingOrders: z.number(),
  totalPnl: decimalNumber,
  equity: decimalNumber,
  cash: decimalNumber,
  worth: decimalNumber,
  realizedPnl: decimalNumber,
  unrealizedPnl: decimalNumber,
  dayPnl: decimalNumber,
  positions: listOf(PositionView),
  /** Each that ever traded. */
  strategies: listOf(StrategyResult),
  /** The used part of each risk rule. */
  limits: z.array(RuleUsageView),
  /** Since when and why an operator has suspended the account; null while it is active. */
  suspension: z.object({ since: timestamp, reason: z.string() }).nullable(),
});

/** Every number that a screen shows of the account, in the mode of the request, read at one instant. In USD. */
export const account = procedure({ scope: 'portfolio:read', also: 'risk:read' })
  .input(z.strictObject({}))
  .output(AccountView.extend({ mode: z.enum(MODES) }))
  .query(async ({ ctx: { work } }) => ({ ...(await accountSnapshot(work)), mode: work.mode }));
