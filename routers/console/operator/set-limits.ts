import { z } from 'zod';
import { ACCOUNT_LIMITS_MAX, setAccountLimits } from '../../../engine/usecases/operator/set-limits.ts';
import { singleLineText, uuid } from '../../schemas.ts';
import { noteRequest, operatorProcedure, workOn } from './procedure.ts';

const limit = (most: number) => z.int().min(0).max(most);

/** Sets what an account may have at most; its owner reads the reason. */
export const setLimits = operatorProcedure
  .input(
    z.strictObject({
      accountId: uuid,
      reason: singleLineText(3, 300),
      limits: z.strictObject({
        blueprints: limit(ACCOUNT_LIMITS_MAX.blueprints),
        graphBytes: limit(ACCOUNT_LIMITS_MAX.graphBytes),
        keys: limit(ACCOUNT_LIMITS_MAX.keys),
      }),
    }),
  )
  .output(z.null())
  .mutation(async ({ ctx, input: { accountId, reason, limits } }) => {
    await noteRequest(ctx, { act: 'set limits', subjectId: accountId, reason, limits });
    await setAccountLimits(workOn(ctx, accountId), limits, reason);
    return null;
  });
