import { z } from 'zod';
import { readAuditTrail } from '../../engine/audit-trail.ts';
import { AuditEvent, viewAuditEvent } from '../audit/index.ts';
import { listOf, moment, queryInteger, uuid } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

/** The audit trail in pages, newest first. REST says where the next page is in a header, which a batch shares. */
export const activity = sessionProcedure()
  .input(
    z.strictObject({
      limit: queryInteger(1, LIMIT_MAX).optional(),
      before: z.strictObject({ at: moment, id: uuid }).optional(),
    }),
  )
  .output(listOf(AuditEvent))
  .query(async ({ ctx, input: { limit = LIMIT_DEFAULT, before } }) => {
    const after = before ? { createdAt: before.at, id: before.id } : null;
    const rows = await readAuditTrail(ctx.work, { limit, after });
    return rows.slice(0, limit).map(viewAuditEvent);
  });
