import { z } from 'zod';
import { SIDES } from '../../../db/vocabulary.ts';
import { NODE_STATUSES } from '../../../engine/strategy/graph/types.ts';
import { tryStep as tryOne } from '../../../engine/usecases/risk-rules/try-step.ts';
import { BlueprintId, Visual } from '../../blueprints/schemas.ts';
import { limitVenueLookUps } from '../../limit-venue-look-ups.ts';
import { ReceiptView } from '../../risk-rules/receipt.ts';
import { decimalNumber } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

const Order = z.object({
  side: z.enum(SIDES),
  tokenId: z.string(),
  type: z.enum(['limit', 'market']),
  amount: decimalNumber,
  limitPrice: decimalNumber.nullable(),
  isDue: z.boolean(),
  preview: z
    .object({
      verdict: z.enum(['queued', 'pending', 'denied']),
      limitPrice: decimalNumber,
      size: decimalNumber,
      worstFee: decimalNumber,
      receipt: ReceiptView,
      denial: z.object({ message: z.string() }).nullable(),
    })
    .nullable(),
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/**
 * Evaluates a step of a graph, as it is in the editor, on live data, and returns its action. Without `nodeId`, it evaluates the
 * whole graph. Nothing is executed.
 */
export const tryStep = sessionProcedure({ bucket: 'market_data', heavy: true })
  .input(BlueprintId.extend({ nodeId: z.string().min(1).max(200).optional(), visual: Visual.optional() }))
  .output(
    z.object({
      issues: z.array(z.object({ nodeId: z.string().nullable(), code: z.string(), message: z.string() })),
      nodes: z.array(
        z.object({
          nodeId: z.string(),
          state: z.object({
            status: z.enum(NODE_STATUSES),
            value: z.union([z.number(), z.boolean(), z.null()]),
            reason: z.object({ code: z.string(), message: z.string() }).optional(),
          }),
        }),
      ),
      orders: z.array(Order),
      silence: z.object({ code: z.string(), message: z.string() }).nullable(),
      texts: z.array(z.string()),
    }),
  )
  .mutation(async ({ ctx, input: { id, nodeId, visual } }) => {
    const { market, trading: settings, work } = ctx;
    const trial = await tryOne(work, id, { nodeId, visual, market, settings, admit: limitVenueLookUps(ctx) });
    const { issues, nodes, orders, texts } = trial;
    return { ...trial, issues: [...issues], nodes: [...nodes], orders: [...orders], texts: [...texts] };
  });
