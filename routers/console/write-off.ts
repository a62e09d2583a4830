import { z } from 'zod';
import { writeOffTerms } from '../../engine/positions/write-off-terms.ts';
import { line } from '../schemas.ts';
import { procedure } from '../trpc.ts';

/** Why what is held of an instrument can only be written off, and at what most; null where there is another way out. */
export const writeOff = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({ tokenId: line(1, 200) }))
  .output(z.object({ reason: z.string(), valueMax: z.number() }).nullable())
  .query(async ({ ctx, input: { tokenId } }) => {
    const terms = await writeOffTerms(ctx.work, tokenId);
    return terms && { reason: terms.reason, valueMax: Number(terms.valueMax) };
  });
