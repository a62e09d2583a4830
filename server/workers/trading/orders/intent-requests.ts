import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { BooksKey } from '../../../../engine/platform/context.ts';
import { DomainError, type ErrorCode } from '../../../../engine/platform/errors.ts';
import type { Intent } from '../../../../engine/strategy/graph/types.ts';

/** An intent that is not decided within this time ends, and so does any buy: it is too late for it. */
const DECIDE_WITHIN_MS = 60_000;
const WAITED = `It waited longer than ${DECIDE_WITHIN_MS / 1_000} s`;

/** Temporary refusals: no fresh quote yet, a busy database. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'quote_unavailable',
  'upstream_unavailable',
  'database_unavailable',
  'overloaded',
  'account_moving',
]);

/** The key of an intent's row. */
export type RequestKey = BooksKey & { deploymentId: string; nodeId: string; stepAt: Date };

/** A waiting intent, and the facts of its deployment that decide about it. */
export type WaitingIntent = RequestKey & {
  blueprintId: string;
  releaseNumber: number;
  endedAt: string | null;
  halted: boolean | null;
  /** Whether a key with spending limits deployed it. */
  isBound: boolean;
  intent: Intent;
  ageMs: number;
};

/** An intent that ended without an order, and why. */
export type IntentRefusal = RequestKey & { blueprintId: string; message: string; at: Date };

/** One text per intent. */
export const idOf = ({ deploymentId, nodeId, stepAt }: RequestKey): string =>
  JSON.stringify([deploymentId, nodeId, stepAt]);

/** Requests as rows `wanted (account_id, deployment_id, node_id, step_at, ordinal)`. */
const wantedInSql = (keys: readonly RequestKey[]): RawBuilder<unknown> => sql`unnest(
  ${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ deploymentId }) => deploymentId)}::uuid[],
  ${keys.map(({ nodeId }) => nodeId)}::text[], ${keys.map(({ stepAt }) => stepAt.toISOString())}::timestamptz[]
) with ordinality as wanted (account_id, deployment_id, node_id, step_at, ordinal)`;

/**
 * The wanted requests that wait, as rows `r` beside `wanted`. Each is found by its key (`offset 0` keeps the planner from
 * joining in its own order). The table is empty most of the time, and by such statistics a full scan would seem cheapest.
 */
const waitingInSql = (keys: readonly RequestKey[]): RawBuilder<unknown> => sql`${wantedInSql(keys)}
  cross join lateral (
    select ctid, * from intent_request
    where account_id = wanted.account_id and deployment_id = wanted.deployment_id and node_id = wanted.node_id
      and step_at = wanted.step_at
    offset 0
  ) as r`;

/** Returns those of these requests that still wait, in the given order. Call under the locks of their accounts. */
export async function readRequests(
  db: Db,
  keys: readonly RequestKey[],
  mode: Mode,
): Promise<WaitingIntent[]> {
  const { rows } = await sql<Omit<WaitingIntent, 'mode' | 'stepAt'> & { stepAt: string }>`
    select r.account_id as "accountId", r.deployment_id as "deploymentId", r.node_id as "nodeId", r.step_at as "stepAt", r.intent,
      d.blueprint_id as "blueprintId", d.release_number as "releaseNumber", d.ended_at as "endedAt", s.halted,
      exists (select from release l join api_key k on k.account_id = l.account_id and 'key:' || k.id = l.deployed_by
        where l.account_id = d.account_id and l.blueprint_id = d.blueprint_id and l.number = d.release_number
          and k.envelope is not null) as "isBound",
      (extract(epoch from clock_timestamp() - r.created_at) * 1000)::float8 as "ageMs"
    from ${waitingInSql(keys)}
    join deployment d on d.account_id = r.account_id and d.id = r.deployment_id and d.mode = ${mode}
    left join deployment_state s on s.account_id = d.account_id and s.deployment_id = d.id
    order by wanted.ordinal`.execute(db);
  return rows.map((row) => ({ ...row, mode, stepAt: new Date(row.stepAt) }));
}

/** Deletes decided requests. Throws if one is gone already: then its new order must not stay. */
export async function deleteRequests(db: Db, keys: readonly RequestKey[]): Promise<void> {
  if (keys.length === 0) return;
  const { numAffectedRows } = await sql`
    delete from intent_request where ctid = any(array(select r.ctid from ${waitingInSql(keys)}))`.execute(db);
  if (numAffectedRows !== BigInt(keys.length)) throw new Error('An intent was gone when it was decided.');
}

/** A buy on a signal this old is a bet on another market. An exit is valid as long as there is a position. */
export const whyTooLate = ({ intent, ageMs }: WaitingIntent): string | null =>
  intent.side === 'buy' && ageMs >= DECIDE_WITHIN_MS
    ? `${WAITED}: the service was down, or busy. The signal is left out.`
    : null;

/** Returns why an intent is refused for good; null if a retry may help. */
export function whyRefused(error: unknown, ageMs: number): string | null {
  const isDomain = error instanceof DomainError;
  if (isDomain && !PASSING.has(error.code)) return error.message;
  if (ageMs < DECIDE_WITHIN_MS) return null;
  const why = isDomain ? error.message : 'it could not be decided.';
  return `${WAITED}: ${why}`;
}

export const refusalOf = (
  { accountId, mode, deploymentId, nodeId, stepAt, blueprintId }: WaitingIntent,
  message: string,
  at: Date,
): IntentRefusal => ({ accountId, mode, deploymentId, nodeId, stepAt, blueprintId, message, at });
