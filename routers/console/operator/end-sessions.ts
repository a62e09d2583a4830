import { z } from 'zod';
import { audit } from '../../../engine/platform/audit/audit.ts';
import { requireAccount } from '../../../engine/usecases/operator/suspend.ts';
import { singleLineText, uuid } from '../../schemas.ts';
import { noteRequest, operatorProcedure, workOn } from './procedure.ts';

/** Signs an account's users out everywhere. Keys go on. Returns how many sessions ended. */
export const endSessions = operatorProcedure
  .input(z.strictObject({ accountId: uuid, reason: singleLineText(3, 300) }))
  .output(z.object({ ended: z.number() }))
  .mutation(async ({ ctx, input: { accountId, reason } }) => {
    await noteRequest(ctx, { act: 'end sessions', subjectId: accountId, reason });
    const work = workOn(ctx, accountId);
    await requireAccount(work);
    const ended = await ctx.operator.endSessions(accountId);
    const entry = { action: 'session.ended_by_operator', mode: null, subjectId: accountId } as const;
    await audit(work, { ...entry, before: null, after: { reason, ended }, at: await work.clock(work.db) });
    return { ended };
  });
