import { z } from 'zod';
import { writeOffTerms } from '../../../engine/trading/positions/write-off-terms.ts';
import { decimalNumber, line, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

/** Why what is held of an instrument, or of it by one blueprint, can only be written off, and at what most; null where there is another way out. */
export const writeOff = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({ tokenId: line(1, 200), blueprintId: uuid.optional() }))
  .output(z.object({ reason: z.string(), valueMax: decimalNumber }).nullable())
  .query(({ ctx, input: { tokenId, blueprintId = null } }) => writeOffTerms(ctx.work, tokenId, blueprintId));
