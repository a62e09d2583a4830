import { z } from 'zod';
import { ORDER_TYPES } from '../../db/entities/order.ts';
import { SIDES } from '../../db/vocabulary.ts';
import { previewOrder } from '../../engine/usecases/risk-rules/preview.ts';
import { route } from '../route.ts';
import { decimalNumber, exactNumber, singleLineText, uuid } from '../schemas.ts';
import { RECEIPT_EXAMPLE, ReceiptView } from './receipt.ts';

const Preview = z
  .object({
    verdict: z
      .enum(['queued', 'pending', 'denied'])
      .meta({ description: '`queued`: it would be sent at once.' }),
    amount: decimalNumber.meta({ description: 'On the venue’s step.' }),
    limitPrice: decimalNumber,
    size: decimalNumber.meta({ description: 'USD.' }),
    worstFee: decimalNumber.meta({ description: 'USD.' }),
    receipt: ReceiptView,
    denial: z
      .object({ rule: z.string(), limit: decimalNumber, actual: decimalNumber, message: z.string() })
      .nullable(),
    warning: z.string().nullable().meta({
      description: 'An unwanted effect: a partial sale may leave less than the venue’s minimum sell size.',
    }),
  })
  .meta({ id: 'OrderPreview', description: 'The verdict of the risk rules on an order.' });

export const preview = route({
  method: 'POST',
  path: '/api/risk-rules/preview',
  access: { kind: 'scope', scope: 'risk:read', bucket: 'read' },
  tag: 'Risk rules',
  summary: 'Preview an order',
  description: 'The receipt a proposed order would get now, without any effect.',
  alsoAnswers: [404],
  idempotent: 'effectless',
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
  input: z.strictObject({
    tokenId: singleLineText(1, 200).meta({ description: 'The instrument as orders name it.' }),
    side: z.enum(SIDES),
    type: z.enum(ORDER_TYPES),
    amount: exactNumber({ above: 0 }),
    limitPrice: exactNumber({ above: 0 }).optional().meta({ description: 'Required for a limit order.' }),
    blueprintId: uuid.optional().meta({
      description:
        'Sells this blueprint’s own position; a buy counts in its budget. By default a buy counts as one by hand.',
    }),
  }),
  output: Preview,
  resolve: ({ ctx, input: { amount, limitPrice, ...proposal } }) =>
    previewOrder(
      ctx.work,
      {
        ...proposal,
        amount: String(amount),
        ...(limitPrice !== undefined && { limitPrice: String(limitPrice) }),
      },
      { marketData: ctx.market, settings: ctx.trading },
    ),
});
