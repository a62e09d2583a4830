import { z } from 'zod';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import { readSharedDraft } from '../../../engine/usecases/blueprints/share-links.ts';
import type { Context } from '../../context.ts';
import { anyJson, timestamp } from '../../schemas.ts';
import { openProcedure } from '../../trpc.ts';
import { Catalogue, readCatalogue } from './node-types.ts';

/** Longer than any token. */
const TOKEN_LENGTH_MAX = 100;

/**
 * The draft that a link shows, to anyone, with the catalogue to draw it. A mutation in form: its token is then in the body, and
 * in no address that a proxy logs or caches.
 */
export const shared = openProcedure()
  .input(z.strictObject({ token: z.string().max(TOKEN_LENGTH_MAX) }))
  .output(z.object({ name: z.string(), visual: anyJson, expiresAt: timestamp, catalogue: Catalogue }))
  .mutation(async ({ ctx, input, batchIndex = 0 }) => {
    await countVisit(ctx, batchIndex);
    const { name, visual, expires_at } = await readSharedDraft(ctx.requests, input.token);
    return { name, visual, expiresAt: toIso(expires_at), catalogue: readCatalogue() };
  });

/**
 * Requests without credentials are counted by address already, those with some are here. An answer may have 300 kB, so that a
 * batch has one.
 */
async function countVisit({ principal, credentialProblem, limits }: Context, batchIndex: number) {
  if (batchIndex > 0)
    throw new DomainError('validation_failed', 'A batch shows one shared strategy at most.');
  if (credentialProblem !== null && credentialProblem.code !== 'credentials_missing') throw credentialProblem;
  const count = principal && (await limits.consume(principal, 'read'));
  if (count?.refusal) throw count.refusal;
}
