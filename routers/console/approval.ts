import { z } from 'zod';
import { approvalPreview } from '../../engine/orders/entry/recheck.ts';
import { ReceiptView } from '../risk-rules/receipt.ts';
import { uuid } from '../schemas.ts';
import { procedure } from '../trpc.ts';

/** What the rules would say if a waiting order were approved now: the check the approval itself will take. */
export const approval = procedure({ scope: 'orders:read' })
  .input(z.strictObject({ id: uuid }))
  .output(ReceiptView)
  .query(({ ctx, input: { id } }) => approvalPreview(ctx.work, id, ctx.trading));
