import { z } from 'zod';
import { renameKey } from '../../../engine/trading/keys/rename.ts';
import { singleLineText, uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Renames a key. */
export const renameApiKey = sessionProcedure()
  .input(z.strictObject({ id: uuid, name: singleLineText(1, 120) }))
  .output(z.null())
  .mutation(async ({ ctx, input: { id, name } }) => {
    await renameKey(ctx.work, id, name);
    return null;
  });
