import { z } from 'zod';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { listShareLinks, type ShareLink } from '../../../engine/usecases/blueprints/share-links.ts';
import { listOf, timestamp, uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

export const Link = z.object({ id: z.uuid(), createdAt: timestamp, expiresAt: timestamp });

export const viewLink = ({ id, created_at, expires_at }: ShareLink) => ({
  id,
  createdAt: toIso(created_at),
  expiresAt: toIso(expires_at),
});

/** The links of a blueprint that have not expired, oldest first. Their tokens are not stored. */
export const shareLinks = sessionProcedure()
  .input(z.strictObject({ blueprintId: uuid }))
  .output(listOf(Link))
  .query(async ({ ctx, input }) => (await listShareLinks(ctx.work, input.blueprintId)).map(viewLink));
