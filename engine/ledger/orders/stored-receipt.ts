import { z } from 'zod';
import type { Receipt } from '../../risk/receipt.ts';

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

/** The parts of a receipt that the books need; all others are compared as they stand. */
const shape = z.looseObject({
  decidedAt: z.iso.datetime(),
  rulesVersion: z.int(),
  rules: z.looseObject({}),
  verdict: z.string(),
  lines: z.array(z.looseObject({ rule: z.string() })),
  cash: decimal,
  reserved: decimal,
  day: z.looseObject({ realizedPnl: decimal, unrealizedPnl: decimal, openingUnrealizedPnl: decimal }),
  live: z
    .looseObject({
      spentToday: decimal,
      otherSide: decimal.optional(),
      connection: z.looseObject({ id: z.string(), spentToday: decimal, openNotional: decimal }).optional(),
    })
    .optional(),
  marks: z.array(z.looseObject({ tokenId: z.string(), amount: decimal, price: decimal.nullable() })),
});

/** The receipt in a row; null if the row holds no valid one. */
export const storedReceipt = (value: unknown): Receipt | null =>
  shape.safeParse(value).success ? (value as Receipt) : null;
