import { z } from 'zod';
import { answerAddress } from '../../../engine/usecases/oauth/request.ts';
import { timestamp } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';
import { ClientScopes, RequestText, readRequest } from './client-request.ts';

/** A client's request for access, for the person who decides about it. */
export const accessRequest = sessionProcedure()
  .input(z.strictObject({ request: RequestText }))
  .output(
    z.object({
      /** The name it gave itself, unverified. */
      name: z.string(),
      registeredAt: timestamp,
      /** The host that the code is sent to. */
      host: z.string(),
      scopes: ClientScopes,
      /** The fault of a request that cannot be granted; null for none. */
      problem: z.string().nullable(),
      /** Where to go to decline. */
      declineTo: z.string(),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { issuer, access } = await readRequest(ctx, input.request);
    const { client, redirectUri, problem } = access;
    return {
      name: client.name,
      registeredAt: client.createdAt.toISOString(),
      host: new URL(redirectUri).host,
      scopes: ClientScopes.parse(access.scopes),
      problem: problem?.description ?? null,
      declineTo: answerAddress(
        access,
        issuer,
        problem === null
          ? { error: 'access_denied' }
          : { error: problem.error, error_description: problem.description },
      ),
    };
  });
