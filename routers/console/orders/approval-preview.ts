import { z } from 'zod';
import { ENVIRONMENTS, MODES, VENUE_IDS } from '../../../db/vocabulary.ts';
import { approvalPreview } from '../../../engine/trading/orders/entry/approval-preview.ts';
import { approvalTerms } from '../../../engine/trading/orders/entry/approval-terms.ts';
import { ReceiptView } from '../../risk-rules/receipt.ts';
import { decimalNumber, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Terms = z.object({
  mode: z.enum(MODES),
  venue: z.enum(VENUE_IDS),
  connection: z.object({ label: z.string(), environment: z.enum(ENVIRONMENTS) }).nullable(),
  worstCost: decimalNumber,
});

/**
 * Previews the approval of a waiting order, by the check that the approval itself will run. Also returns the account that
 * pays, the destination and the highest cost.
 */
export const approval = procedure({ scope: 'orders:read' })
  .input(z.strictObject({ id: uuid }))
  .output(ReceiptView.extend({ terms: Terms }))
  .query(async ({ ctx, input: { id } }) => ({
    ...(await approvalPreview(ctx.work, id, ctx.trading)),
    terms: await approvalTerms(ctx.work, id),
  }));
