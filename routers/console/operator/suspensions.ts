import { z } from 'zod';
import { resumeAccount, suspendAccount } from '../../../engine/usecases/operator/suspend.ts';
import { singleLineText, uuid } from '../../schemas.ts';
import { noteRequest, operatorProcedure, workOn } from './procedure.ts';

const Suspension = z.strictObject({ accountId: uuid, reason: singleLineText(3, 300) });

/** Suspends an account; its owner reads the reason. */
export const suspend = operatorProcedure
  .input(Suspension)
  .output(z.null())
  .mutation(async ({ ctx, input: { accountId, reason } }) => {
    await noteRequest(ctx, { act: 'suspend', subjectId: accountId, reason });
    await suspendAccount(workOn(ctx, accountId), reason);
    ctx.wakeOrders();
    return null;
  });

/** Ends a suspension. */
export const resume = operatorProcedure
  .input(Suspension)
  .output(z.null())
  .mutation(async ({ ctx, input: { accountId, reason } }) => {
    await noteRequest(ctx, { act: 'resume', subjectId: accountId, reason });
    await resumeAccount(workOn(ctx, accountId), reason);
    return null;
  });
