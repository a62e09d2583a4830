import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { refuseWithoutRunner } from '../runner.ts';
import { decimalNumber, exactNumber, singleLineText, uuid } from '../schemas.ts';

const CloseIntent = z
  .object({
    intentId: z.uuid().meta({ description: 'The sell order intent; its order has the same id.' }),
    status: z.enum(ORDER_STATUSES),
    amount: decimalNumber,
  })
  .meta({ id: 'ClosePositionIntent' });

export const close = route({
  method: 'POST',
  path: '/api/portfolio/positions/close',
  access: { kind: 'scope', scope: 'portfolio:write', bucket: 'brake' },
  tag: 'Portfolio',
  summary: 'Close part of a position',
  description:
    'Creates a sell order intent: immediate or cancel, within the price band. The unfilled rest stays in the position.',
  alsoAnswers: [404],
  idempotent: true,
  example: {
    request: { tokenId: 'BTCUSDT', amount: 0.0005 },
    response: { intentId: EXAMPLE.orderId, status: 'queued', amount: 0.0005 },
  },
  input: z.strictObject({
    tokenId: singleLineText(1, 200).meta({ description: 'The instrument as orders name it.' }),
    amount: exactNumber({ above: 0 }).meta({ description: 'Quantity to sell, above 0.' }),
    blueprintId: uuid.optional().meta({ description: 'Sell only this blueprint’s holding.' }),
  }),
  output: CloseIntent,
  resolve: async ({ ctx, input: { tokenId, amount, blueprintId } }) => {
    refuseWithoutRunner(ctx);
    const request = { tokenId, amount: String(amount), ...(blueprintId && { blueprintId }) };
    const intent = await closePosition(ctx.work, request, ctx.trading);
    ctx.wakeOrders();
    return intent;
  },
});
