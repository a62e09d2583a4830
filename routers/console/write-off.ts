import { z } from 'zod';
import { writeOffTerms } from '../../engine/positions/write-off-terms.ts';
import { line, uuid } from '../schemas.ts';
import { procedure } from '../trpc.ts';

/** Why what is held of an instrument, or of it by one blueprint, can only be written off, and at what most; null where there is another way out. */
export const writeOff = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({ tokenId: line(1, 200), blueprintId: uuid.optional() }))
  .output(z.object({ reason: z.string(), valueMax: z.number() }).nullable())
  .query(async ({ ctx, input: { tokenId, blueprintId = null } }) => {
    const terms = await writeOffTerms(ctx.work, tokenId, blueprintId);
    return terms && { reason: terms.reason, valueMax: Number(terms.valueMax) };
  });
