import { z } from 'zod';
import { revokeShareLink } from '../../../engine/usecases/blueprints/share-links.ts';
import { uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Ends a link at once. */
export const unshare = sessionProcedure({ bucket: 'brake' })
  .input(z.strictObject({ id: uuid }))
  .output(z.null())
  .mutation(async ({ ctx, input }) => {
    await revokeShareLink(ctx.work, input.id);
    return null;
  });
