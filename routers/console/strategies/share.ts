import { z } from 'zod';
import { createShareLink, LINK_DAYS_MAX } from '../../../engine/usecases/blueprints/share-links.ts';
import { uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';
import { Link, viewLink } from './share-links.ts';

/** Makes a link by which anyone sees the blueprint's draft. Its token is in this answer only. */
export const share = sessionProcedure()
  .input(z.strictObject({ blueprintId: uuid, days: z.int().min(1).max(LINK_DAYS_MAX) }))
  .output(Link.extend({ token: z.string() }))
  .mutation(async ({ ctx, input: { blueprintId, days } }) => {
    const link = await createShareLink(ctx.work, blueprintId, days);
    return { ...viewLink(link), token: link.token };
  });
