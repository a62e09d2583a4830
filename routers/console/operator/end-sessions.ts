import { z } from 'zod';
import { singleLineText, uuid } from '../../schemas.ts';
import { noteRequest, operatorProcedure, workOn } from './procedure.ts';

/** Signs an account's users out everywhere. Keys go on. Returns how many sessions ended. */
export const endSessions = operatorProcedure
  .input(z.strictObject({ accountId: uuid, reason: singleLineText(3, 300) }))
  .output(z.object({ ended: z.number() }))
  .mutation(async ({ ctx, input: { accountId, reason } }) => {
    await noteRequest(ctx, { act: 'end sessions', subjectId: accountId, reason });
    return { ended: await ctx.operator.endSessions(workOn(ctx, accountId), reason) };
  });
