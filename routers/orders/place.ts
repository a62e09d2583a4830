import { z } from 'zod';
import { ORDER_STATUSES, ORDER_TYPES } from '../../db/entities/order.ts';
import { SIDES, TIMES_IN_FORCE } from '../../db/vocabulary.ts';
import { EXPIRE_AFTER_SEC_MAX } from '../../engine/strategy/graph/nodes/actions/order.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import { fetchMarket } from '../../engine/trading/orders/terms/fetch-market.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { refuseWithoutRunner } from '../runner.ts';
import { decimalNumber, exactInteger, exactNumber, singleLineText } from '../schemas.ts';

const Input = z.strictObject({
  tokenId: singleLineText(1, 200).meta({ description: 'The instrument as orders name it.' }),
  side: z.enum(SIDES),
  type: z.enum(ORDER_TYPES).meta({ description: '`market`: now, within the price band.' }),
  amount: exactNumber({ above: 0 }).meta({
    description: 'Quantity, above 0: contracts, shares or base coin.',
  }),
  limitPrice: exactNumber({ above: 0 }).optional().meta({
    description:
      'The worst acceptable price, rounded to the tick. Required for a limit order, refused for a market order.',
  }),
  timeInForce: z.enum(TIMES_IN_FORCE).optional().meta({
    description:
      'Of a limit order: `gtc` (default) rests until filled or canceled, with real money a buy at most 10 minutes unless `expireAfterSec` says otherwise; `gtx` too, and is refused if any of it would fill at once (post-only); `ioc` fills what it can at once, `fok` whole or not at all.',
  }),
  expireAfterSec: exactInteger(10, EXPIRE_AFTER_SEC_MAX).optional().meta({
    description: 'With `gtc` or `gtx`: seconds after which the unfilled rest is canceled.',
  }),
});

export const place = route({
  method: 'POST',
  path: '/api/orders',
  access: { kind: 'scope', scope: 'orders:place' },
  tag: 'Orders',
  summary: 'Place an order',
  description:
    'Buys or sells one instrument by hand, under the same rules as a strategy. `POST /api/risk-rules/preview` shows what the rules say without sending it; it leaves out the spending limits of the key. A buy is held apart from all strategies; a sell draws on all positions, oldest first. Above the approval limit it is `pending` until a person approves it. With real money a key needs `allowsUntried` to buy.',
  alsoAnswers: [404],
  idempotent: true,
  example: {
    request: { tokenId: 'BTCUSDT', side: 'buy', type: 'limit', amount: 0.0005, limitPrice: 86000 },
    response: { intentId: EXAMPLE.orderId, status: 'queued', amount: 0.0005, limitPrice: 86000 },
  },
  input: Input,
  output: z
    .object({
      intentId: z.uuid().meta({ description: 'The order intent; its order has the same id.' }),
      status: z.enum(ORDER_STATUSES),
      amount: decimalNumber,
      limitPrice: decimalNumber.meta({ description: 'On the tick; for a market order its price band.' }),
    })
    .meta({ id: 'OrderIntent' }),
  prepare: async ({ ctx: { work, market }, input: { tokenId } }) =>
    fetchMarket(work, market, tokenId, await work.clock(work.db)),
  resolve: async (
    { ctx, input: { amount, limitPrice, timeInForce, expireAfterSec, ...rest } },
    { quote },
  ) => {
    refuseWithoutRunner(ctx);
    const request = {
      ...rest,
      amount: String(amount),
      timeInForce: timeInForce ?? (rest.type === 'limit' ? 'gtc' : 'ioc'),
      ...(limitPrice !== undefined && { limitPrice: String(limitPrice) }),
      ...(expireAfterSec !== undefined && { expireAfterSec }),
    } as const;
    const intent = await createManualOrder(ctx.work, request, { settings: ctx.trading, quote });
    ctx.wakeOrders();
    return intent;
  },
});
