/** Digests of decisions: the inputs of an order and each of its steps, so that neither changes unnoticed. Pure. */
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import { toIso, toIsoOrNull } from './clock/timestamp-text.ts';

/** Columns that a decision is based on and that never change. Amounts are proven by receipts and fills. */
export const DECISION_INPUT_COLUMNS = [
  'id',
  'mode',
  'blueprint_id',
  'deployment_id',
  'release_number',
  'node_id',
  'step_at',
  'origin',
  'token_id',
  'venue',
  'side',
  'type',
  'time_in_force',
  'created_at',
  'rules_version',
  'receipt',
  'inputs',
  'decided_quote',
  'preapproved_release',
] as const;

type Order = Selectable<Database['trade_order']>;
export type DecisionInputs = Pick<Order, (typeof DECISION_INPUT_COLUMNS)[number]>;

type Step = Pick<
  Selectable<Database['order_transition']>,
  'from_status' | 'to_status' | 'at' | 'expires_at' | 'actor' | 'reason'
>;

/**
 * Returns the digest of a step: with its evidence for a first step, with the receipt of its approval for an approval. Steps to
 * `queued` also cover when the order ends, since an approval sets that of a live order without one.
 */
export function transitionDigest(
  order: DecisionInputs & Pick<Order, 'approval_receipt' | 'good_till'>,
  { from_status: from, to_status: to, at, expires_at, actor, reason }: Step,
): string {
  const isApproval = from === 'pending' && to === 'queued';
  const decided = from === null ? evidenceOf(order) : isApproval ? order.approval_receipt : null;
  return digestOf({
    order: order.id,
    from,
    to,
    at: toIso(at),
    until: toIsoOrNull(expires_at),
    actor,
    reason,
    decided,
    goodTill: to === 'queued' ? toIsoOrNull(order.good_till) : null,
  });
}

/** Timestamps as ISO 8601: rows are digested before they are stored, and compared as they are read. */
const evidenceOf = (order: DecisionInputs): Json => ({
  ...Object.fromEntries(DECISION_INPUT_COLUMNS.map((column) => [column, order[column]])),
  step_at: toIsoOrNull(order.step_at),
  created_at: toIso(order.created_at),
});

const digestOf = (value: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(JSON.parse(JSON.stringify(value)))))
    .digest('hex');

/** Sorts keys: PostgreSQL returns those of `jsonb` in an order of its own. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, each]) => [key, inOrder(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
