import type { Work } from '../../platform/context.ts';
import { readRiskSnapshot } from '../../risk/read-risk-snapshot.ts';
import type { Suspension } from '../../risk/risk-snapshot.ts';
import { type RuleUsage, ruleUsageOf } from '../../risk/rule-usage.ts';

export type RiskUsage = {
  at: string;
  rulesVersion: number;
  lines: RuleUsage[];
  suspension: Suspension | null;
};

/** The used part of each rule now, the available cash, and whether an operator has suspended the account. */
export async function riskUsage(work: Work): Promise<RiskUsage> {
  const now = await work.clock(work.db);
  const snapshot = await readRiskSnapshot(work, { now });
  const { rulesVersion, suspension = null } = snapshot;
  return { at: now.toISOString(), rulesVersion, lines: ruleUsageOf(snapshot, now), suspension };
}
