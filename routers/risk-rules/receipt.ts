import { z } from 'zod';
import { EXAMPLE, RULES_EXAMPLE } from '../examples.ts';
import { decimalNumber, timestamp } from '../schemas.ts';
import { RulesView } from './schemas.ts';

const ReceiptLine = z.object({
  rule: z.string(),
  limit: decimalNumber,
  actual: decimalNumber.nullable(),
  headroom: decimalNumber.nullable(),
  verdict: z.enum(['pass', 'wait', 'deny', 'skipped']),
  note: z.string().optional(),
});

export const ReceiptView = z
  .object({
    decidedAt: timestamp,
    rulesVersion: z.number().int(),
    rules: RulesView,
    lines: z.array(ReceiptLine),
    marks: z.array(
      z.object({
        tokenId: z.string(),
        amount: decimalNumber,
        price: decimalNumber.nullable(),
        asOf: timestamp.nullable(),
        ageSec: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RiskReceipt', description: 'The measured values and verdict of each rule.' });

export const RECEIPT_EXAMPLE = {
  decidedAt: EXAMPLE.updatedAt,
  rulesVersion: 1,
  rules: RULES_EXAMPLE,
  lines: [
    { rule: 'maxOrderSize', limit: 100, actual: 86.83, headroom: 13.17, verdict: 'pass' },
    { rule: 'requireApprovalAbove', limit: 50, actual: 86.83, headroom: -36.83, verdict: 'wait' },
  ],
  marks: [],
};
