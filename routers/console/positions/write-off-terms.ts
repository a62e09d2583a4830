import { z } from 'zod';
import { writeOffTerms } from '../../../engine/trading/positions/write-off-terms.ts';
import { decimalNumber, singleLineText, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

/**
 * Why a holding of an instrument, or one blueprint's part of it, can only be written off. Also returns the highest value for
 * it. Null if there is another exit.
 */
export const writeOff = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({ tokenId: singleLineText(1, 200), blueprintId: uuid.optional() }))
  .output(z.object({ reason: z.string(), valueMax: decimalNumber }).nullable())
  .query(({ ctx, input: { tokenId, blueprintId = null } }) => writeOffTerms(ctx.work, tokenId, blueprintId));
