import { z } from 'zod';
import { ORDER_TYPES, SIDES } from '../../db/entities/order.ts';
import { previewOrder } from '../../engine/risk-rules/preview.ts';
import { riskUsage } from '../../engine/risk-rules/usage.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { exactNumber, line, timestamp, uuid } from '../schemas.ts';
import { procedure } from '../trpc.ts';
import { RECEIPT_EXAMPLE, ReceiptView, viewReceipt } from './receipt.ts';

const Preview = z
  .object({
    verdict: z
      .enum(['queued', 'pending', 'denied'])
      .meta({ description: '`queued`: it would be sent at once.' }),
    amount: z.number().meta({ description: 'On the venue’s step.' }),
    limitPrice: z.number(),
    size: z.number().meta({ description: 'USD.' }),
    worstFee: z.number().meta({ description: 'USD.' }),
    receipt: ReceiptView,
    denial: z
      .object({ rule: z.string(), limit: z.number(), actual: z.number(), message: z.string() })
      .nullable(),
    warning: z
      .string()
      .nullable()
      .meta({ description: 'What it would lead to: a sale of a part may leave less than the venue takes.' }),
  })
  .meta({ id: 'OrderPreview', description: 'What the risk rules would say of an order.' });

export const preview = procedure({ scope: 'risk:read', bucket: 'read' })
  .meta(
    route({
      method: 'POST',
      path: '/api/risk-rules/preview',
      tag: 'Risk rules',
      summary: 'Preview an order',
      description: 'The receipt a proposed order would get now, without any effect.',
      alsoAnswers: [404],
      example: {
        request: { tokenId: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.001 },
        response: {
          verdict: 'pending',
          amount: 0.001,
          limitPrice: 86830,
          size: 86.83,
          worstFee: 0.08683,
          receipt: RECEIPT_EXAMPLE,
          denial: null,
          warning: null,
        },
      },
    }),
  )
  .input(
    z.strictObject({
      tokenId: line(1, 200).meta({ description: 'The instrument as orders name it.' }),
      side: z.enum(SIDES),
      type: z.enum(ORDER_TYPES),
      amount: exactNumber({ above: 0 }),
      limitPrice: exactNumber({ above: 0 }).optional().meta({ description: 'Required for a limit order.' }),
      blueprintId: uuid.optional().meta({ description: 'A sell of this blueprint’s own position.' }),
    }),
  )
  .output(Preview)
  .mutation(async ({ ctx, input: { amount, limitPrice, ...proposal } }) => {
    const { denial, ...previewed } = await previewOrder(
      ctx.work,
      {
        ...proposal,
        amount: String(amount),
        ...(limitPrice !== undefined && { limitPrice: String(limitPrice) }),
      },
      { marketData: ctx.market, settings: ctx.trading },
    );
    return {
      verdict: previewed.verdict,
      amount: Number(previewed.amount),
      limitPrice: Number(previewed.limitPrice),
      size: Number(previewed.size),
      worstFee: Number(previewed.worstFee),
      receipt: viewReceipt(previewed.receipt),
      warning: previewed.warning,
      denial: denial && { ...denial, limit: Number(denial.limit), actual: Number(denial.actual) },
    };
  });

const Usage = z
  .object({
    at: timestamp,
    rulesVersion: z.number().int(),
    lines: z.array(
      z.object({
        rule: z.string(),
        limit: z.number(),
        used: z.number().nullable(),
        headroom: z.number().nullable(),
        note: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'RiskUsage', description: 'How much of each rule is used now.' });

const numberOrNull = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

export const usage = procedure({ scope: 'risk:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/risk-rules/usage',
      tag: 'Risk rules',
      summary: 'Read how much of each rule is used',
      description:
        'Each rule with its limit, what is used of it now, and the headroom; and what cash is free.',
      example: {
        response: {
          at: EXAMPLE.updatedAt,
          rulesVersion: 1,
          lines: [{ rule: 'maxOpenPositions', limit: 10, used: 3, headroom: 7 }],
        },
      },
    }),
  )
  .input(z.strictObject({}))
  .output(Usage)
  .query(async ({ ctx }) => {
    const { at, rulesVersion, lines } = await riskUsage(ctx.work);
    return {
      at,
      rulesVersion,
      lines: lines.map((line) => ({
        ...line,
        limit: Number(line.limit),
        used: numberOrNull(line.used),
        headroom: numberOrNull(line.headroom),
      })),
    };
  });
