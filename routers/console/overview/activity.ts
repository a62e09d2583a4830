import { z } from 'zod';
import { ACTIVITY_SUBJECTS, readActivity } from '../../../engine/platform/audit/activity.ts';
import { AuditEvent, viewAuditEvent } from '../../audit/list.ts';
import { listOf, moment, queryInteger, singleLineText, uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

/** The account's activity in pages, newest first: the audit trail, fills, denials and texts of Notify steps. */
export const activity = sessionProcedure()
  .input(
    z.strictObject({
      limit: queryInteger(1, LIMIT_MAX).optional(),
      before: z.strictObject({ at: moment, id: uuid }).optional(),
      about: z.enum(ACTIVITY_SUBJECTS).optional(),
      find: singleLineText(1, 100).optional(),
      from: moment.optional(),
      to: moment.optional(),
    }),
  )
  .output(listOf(AuditEvent))
  .query(async ({ ctx, input: { limit = LIMIT_DEFAULT, before, ...filter } }) => {
    const after = before ? { createdAt: before.at, id: before.id } : null;
    return (await readActivity(ctx.work, { ...filter, limit, after })).map(viewAuditEvent);
  });
