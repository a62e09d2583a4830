import { z } from 'zod';
import { RESOLUTIONS, resolveDifference as resolve } from '../../engine/trading/reconciliation/resolve.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { singleLineText, uuid } from '../schemas.ts';
import { DIFFERENCE_EXAMPLE, DifferenceView, viewDifference } from './difference-schemas.ts';
import { ConnectionId } from './schemas.ts';

export const resolveDifference = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/differences/{differenceId}/resolve',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Resolve a difference',
  description:
    'Web session only, audited. `adjustment` moves the books to match the venue: cash, or the part of a position that it no longer holds. `explained` moves nothing: the difference stays, and is known. Repeating it changes nothing.',
  idempotent: true,
  example: {
    path: { id: EXAMPLE.connectionId, differenceId: EXAMPLE.differenceId },
    request: { as: 'adjustment', note: 'The venue charged for an account statement.' },
    response: {
      ...DIFFERENCE_EXAMPLE,
      state: 'booked',
      note: 'The venue charged for an account statement.',
      resolvedBy: 'session:u5Jt0zqgqYkHn3',
      resolvedAt: EXAMPLE.updatedAt,
    },
  },
  input: ConnectionId.extend({
    differenceId: uuid.meta({ description: 'The difference.' }),
    as: z.enum(RESOLUTIONS),
    note: singleLineText(1, 500)
      .nullable()
      .optional()
      .meta({ description: 'The reason, for later readers.' }),
  }),
  output: DifferenceView,
  resolve: async ({ ctx, input: { id, differenceId, as, note = null } }) =>
    viewDifference(await resolve(ctx.work, { connectionId: id, differenceId }, { as, note })),
});
