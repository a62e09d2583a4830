import type { Work } from '../context.ts';
import type { ReceiptRule } from './decide.ts';

/** How much of one limit is used now. Decimal strings; null where the rule measures single orders only. */
export type RuleUsage = {
  rule: ReceiptRule;
  limit: string;
  used: string | null;
  headroom: string | null;
  note?: string;
};
export type RiskUsage = { at: string; rulesVersion: number; lines: RuleUsage[] };

export async function riskUsage(_work: Work): Promise<RiskUsage> {
  throw new Error('under construction');
}
