import { exact } from '../../../engine/platform/decimal.ts';
import type { HeldInstrument, RiskSnapshot } from '../../../engine/risk/risk-snapshot.ts';
import type { RiskRules } from '../../../engine/risk/rules/catalogue.ts';

export const NOW = new Date('2026-11-20T12:00:00.000Z');

/** The rules of a new account, as the contract has them. */
export const RULES: RiskRules = {
  maxOrderSize: '100',
  maxDailyLoss: '250',
  maxOpenPositions: 10,
  maxOrdersPerMinute: 10,
  cooldownAfterLossSec: 300,
  requireApprovalAbove: '50',
};

/** A holding, with its mark `ageMs` old; `mark` is null if it was never quoted. */
export const held = (
  tokenId: string,
  amount: string,
  totalCost: string,
  mark: string | null,
  ageMs = 0,
  steadyMark = mark,
): HeldInstrument => ({
  tokenId,
  amount: exact(amount),
  totalCost: exact(totalCost),
  mark: mark === null ? null : exact(mark),
  markAt: mark === null ? null : new Date(NOW.getTime() - ageMs),
  steadyMark: steadyMark === null ? null : exact(steadyMark),
});

export const SNAPSHOT: RiskSnapshot = {
  rules: RULES,
  rulesVersion: 3,
  buying: [
    { tokenId: 'B', reserve: exact('10.5') },
    { tokenId: 'C', reserve: exact(2) },
  ],
  stakes: [
    { blueprintId: 'one', atStake: exact('15.5') },
    { blueprintId: 'two', atStake: exact(3) },
  ],
  queuedLastMinute: 4,
  cash: exact('1000'),
  realizedPnl: exact('-2'),
  watch: null,
  lastLossAt: null,
  trippedAt: null,
  held: [held('A', '10', '5', '0.48', 1_499), held('B', '3', '1', '0', 2_000)],
  day: { realizedPnl: exact('-2'), openingUnrealizedPnl: exact('-0.7') },
};
