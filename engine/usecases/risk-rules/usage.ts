import type { Work } from '../../platform/context.ts';
import { readRiskSnapshot } from '../../risk/read-risk-snapshot.ts';
import { type RuleUsage, ruleUsageOf } from '../../risk/rule-usage.ts';

export type RiskUsage = { at: string; rulesVersion: number; lines: RuleUsage[] };

/** The used part of each rule now, and the available cash. */
export async function riskUsage(work: Work): Promise<RiskUsage> {
  const now = await work.clock(work.db);
  const snapshot = await readRiskSnapshot(work, { now });
  return { at: now.toISOString(), rulesVersion: snapshot.rulesVersion, lines: ruleUsageOf(snapshot, now) };
}
