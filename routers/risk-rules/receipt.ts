import { z } from 'zod';
import type { Receipt } from '../../engine/risk/receipt.ts';
import { EXAMPLE, RULES_EXAMPLE } from '../examples.ts';
import { timestamp } from '../schemas.ts';
import { RulesView, viewRules } from './schemas.ts';

const ReceiptLine = z.object({
  rule: z.string(),
  limit: z.number(),
  actual: z.number().nullable(),
  headroom: z.number().nullable(),
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
        amount: z.number(),
        price: z.number().nullable(),
        asOf: timestamp.nullable(),
        ageSec: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RiskReceipt', description: 'What each rule saw and said.' });

const numberOrNull = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

export const viewReceipt = (receipt: Receipt): z.input<typeof ReceiptView> => ({
  ...receipt,
  rules: viewRules(receipt.rules),
  lines: receipt.lines.map((line) => ({
    ...line,
    limit: Number(line.limit),
    actual: numberOrNull(line.actual),
    headroom: numberOrNull(line.headroom),
  })),
  marks: receipt.marks.map((mark) => ({
    ...mark,
    amount: Number(mark.amount),
    price: numberOrNull(mark.price),
  })),
});

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
