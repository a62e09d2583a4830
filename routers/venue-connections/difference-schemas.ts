import { z } from 'zod';
import { DIFFERENCE_KINDS, DIFFERENCE_STATES, SIDES } from '../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import {
  type DifferenceRow,
  differenceDetailsOf,
} from '../../engine/trading/reconciliation/difference-store.ts';
import { EXAMPLE } from '../examples.ts';
import { decimalNumber, timestamp } from '../schemas.ts';

export const DifferenceView = z
  .object({
    id: z.uuid(),
    kind: z.enum(DIFFERENCE_KINDS).meta({
      description:
        '`in_flight` and `lag` disappear on their own. `external_order` and `external_fill`: not placed by this service. `transfer`: money from or to outside. `fee`: another fee than the booked one. `unredeemed`: won and not paid out. `netting`: both sides of a question paid out against each other. `unexplained`: none of these.',
    }),
    subject: z.string().meta({ description: 'Its subject, by the names of the venue.' }),
    ours: decimalNumber.nullable().meta({ description: 'The amount in the books; for cash in USD.' }),
    theirs: decimalNumber.nullable().meta({ description: 'The amount at the venue.' }),
    worth: decimalNumber.nullable().meta({ description: 'USD; null if the worth is unknown.' }),
    tokenId: z.string().nullable(),
    side: z.enum(SIDES).nullable().meta({ description: 'Side of an order or a trade.' }),
    price: decimalNumber.nullable().meta({ description: 'USD per unit, for an order or a trade.' }),
    orderId: z.uuid().nullable().meta({ description: 'The id of our order, if it is about one.' }),
    firstSeen: timestamp,
    since: timestamp.meta({ description: 'The time since which it has its kind.' }),
    lastSeen: timestamp,
    state: z.enum(DIFFERENCE_STATES).meta({
      description:
        '`gone`: it no longer exists. `booked`: the books were moved to match the venue. `explained`: it stays, and is known.',
    }),
    note: z.string().nullable(),
    resolvedBy: z.string().nullable(),
    resolvedAt: timestamp.nullable(),
  })
  .meta({
    id: 'VenueDifference',
    description: 'A difference between a venue account and its books, open or resolved.',
  });

export function viewDifference(row: DifferenceRow): z.input<typeof DifferenceView> {
  const { tokenId = null, orderId = null, side = null, price = null } = differenceDetailsOf(row);
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    ours: row.ours,
    theirs: row.theirs,
    worth: row.worth,
    tokenId,
    side,
    price,
    orderId,
    firstSeen: toIso(row.first_seen),
    since: toIso(row.since),
    lastSeen: toIso(row.last_seen),
    state: row.state,
    note: row.note,
    resolvedBy: row.resolved_by,
    resolvedAt: toIsoOrNull(row.resolved_at),
  };
}

export const DIFFERENCE_EXAMPLE = {
  id: EXAMPLE.differenceId,
  kind: 'unexplained',
  subject: 'cash:USD',
  ours: 102.5,
  theirs: 100,
  worth: 2.5,
  tokenId: null,
  side: null,
  price: null,
  orderId: null,
  firstSeen: EXAMPLE.createdAt,
  since: EXAMPLE.createdAt,
  lastSeen: EXAMPLE.updatedAt,
  state: 'open',
  note: null,
  resolvedBy: null,
  resolvedAt: null,
} as const;
