import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { ConnectionState } from '../../../db/vocabulary.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { recordEvents } from '../../platform/events/events.ts';
import { isConnectionEdge } from './states.ts';

/** A connection as stored. */
export type ConnectionRow = Selectable<Database['venue_connection']>;

/** @throws DomainError `not_found`. */
export async function loadConnection(work: Work, id: string): Promise<ConnectionRow> {
  const row = await work.db
    .selectFrom('venue_connection')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

type Set = Partial<Omit<ConnectionRow, 'account_id' | 'id' | 'version'>>;

/** Writes part of a connection. Call under the account's lock. */
export function writeConnection(tx: Work, id: string, set: Set, now: Date): Promise<ConnectionRow> {
  return tx.db
    .updateTable('venue_connection')
    .set({
      ...set,
      ...(set.checks === undefined ? {} : { checks: JSON.stringify(set.checks) }),
      updated_at: now,
      version: sql<number>`version + 1`,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type StateChange = {
  readonly to: ConnectionState;
  readonly code: string | null;
  readonly reason: string | null;
  /** Whether a person holds it in the new state, or releases it. Absent: the hold does not change. */
  readonly hold?: 'taken' | 'let go';
};

/**
 * Changes the state of a connection, with an audit record and an event. Call under the account's lock.
 *
 * @throws DomainError `invalid_state` if the transition is not allowed.
 */
export async function changeState(
  tx: Work,
  row: ConnectionRow,
  { to, code, reason, hold }: StateChange,
  now: Date,
  more: Set = {},
): Promise<ConnectionRow> {
  if (row.state !== to && !isConnectionEdge(row.state, to)) {
    throw new DomainError('invalid_state', `The connection is ${row.state}: it cannot become ${to}.`);
  }
  const after = await writeConnection(
    tx,
    row.id,
    {
      ...more,
      state: to,
      state_code: code,
      state_reason: reason,
      state_at: now.toISOString(),
      ...(hold !== undefined && { is_held_by_person: hold === 'taken' }),
    },
    now,
  );
  await audit(tx, {
    mode: null,
    action: `venue_connection.${to}`,
    subjectId: row.id,
    before: { state: row.state, code: row.state_code },
    after: { state: to, code, reason, isHeldByPerson: after.is_held_by_person, version: after.version },
    at: now,
  });
  await recordEvents(tx, now, [connectionChangedEvent(after)]);
  return after;
}

/** Event for subscribers of every mode: the state of a connection concerns all of them. */
export const connectionChangedEvent = ({ id, state, state_code }: ConnectionRow) =>
  ({ type: 'connection.changed', mode: null, payload: { id, state, stateCode: state_code } }) as const;
