import { z } from 'zod';
import { DomainError } from '../../../engine/platform/errors.ts';
import { grantAccess } from '../../../engine/usecases/oauth/grants.ts';
import { answerAddress } from '../../../engine/usecases/oauth/request.ts';
import { SpendingLimitsInput, spendingLimitsOf } from '../../agent-keys/schemas.ts';
import { exactInteger, singleLineText } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';
import { ClientScopes, RequestText, readRequest } from './client-request.ts';

const LIFETIME_MAX_DAYS = 90;

/** Grants a client access, and answers where to send the browser. */
export const grantClientAccess = sessionProcedure()
  .input(
    z.strictObject({
      request: RequestText,
      name: singleLineText(1, 120),
      scopes: ClientScopes.min(1),
      lifetimeDays: exactInteger(1, LIFETIME_MAX_DAYS),
      envelope: SpendingLimitsInput.optional(),
    }),
  )
  .output(z.object({ redirectTo: z.string() }))
  .mutation(async ({ ctx, input: { request, name, scopes, lifetimeDays, envelope } }) => {
    const { issuer, access } = await readRequest(ctx, request);
    if (access.problem !== null) throw new DomainError('validation_failed', access.problem.description);
    const granted = {
      name,
      scopes: [...new Set(scopes)],
      lifetimeDays,
      envelope: envelope === undefined ? null : spendingLimitsOf(envelope),
    };
    const code = await grantAccess(ctx.work, access, granted, ctx.principal.id);
    return { redirectTo: answerAddress(access, issuer, { code }) };
  });
