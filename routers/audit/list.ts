import { z } from 'zod';
import { readAuditTrail } from '../../engine/platform/audit/audit-trail.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { PageCursor } from '../cursor.ts';
import { EXAMPLE } from '../examples.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { anyJson, listOf, queryInteger, timestamp } from '../schemas.ts';

const LIMIT_MAX = 500;
const LIMIT_DEFAULT = 100;

export const AuditEvent = z
  .object({
    id: z.uuid(),
    at: timestamp,
    actor: z
      .string()
      .meta({ description: '`session:<user id>`, `key:<key id>`, `operator:<user id>` or `system`.' }),
    action: z.string(),
    subjectId: z.uuid().nullable(),
    before: anyJson,
    after: anyJson,
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent', description: 'An actor and a change. Never changed or deleted.' });

export const list = route({
  method: 'GET',
  path: '/api/audit',
  access: { kind: 'session' },
  tag: 'Audit',
  summary: 'Read the audit trail',
  description: 'Web session only. Actors and changes, with values before and after, newest first.',
  pages: true,
  example: {
    response: [
      {
        id: EXAMPLE.fillId,
        at: EXAMPLE.updatedAt,
        actor: `key:${EXAMPLE.keyId}`,
        action: 'blueprint.deployed',
        subjectId: EXAMPLE.blueprintId,
        before: { status: 'draft' },
        after: { status: 'running' },
        requestId: EXAMPLE.requestId,
      },
    ],
  },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX)
      .optional()
      .meta({ description: 'Most rows to return; 100 by default.' }),
    cursor: PageCursor,
  }),
  output: listOf(AuditEvent),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_DEFAULT, cursor } }) => {
    const page = { list: 'audit', filters: {} } as const;
    const rows = await readAuditTrail(ctx.work, { limit, after: startOf(ctx, cursor, page) });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.at), id: row.id }),
    }).map(viewAuditEvent);
  },
});

type AuditRow = Awaited<ReturnType<typeof readAuditTrail>>[number];

export const viewAuditEvent = (row: AuditRow): z.input<typeof AuditEvent> => ({
  id: row.id,
  at: toIso(row.at),
  actor: row.actor,
  action: row.action,
  subjectId: row.subject_id,
  before: row.before,
  after: row.after,
  requestId: row.request_id,
});
