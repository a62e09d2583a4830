import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import {
  type Difference,
  type DifferenceDetails,
  type DifferenceScope,
  isInScopes,
} from './compare/difference.ts';
import { gapStateAfter, statedAfter } from './gap-state.ts';

export type DifferenceRow = Selectable<Database['venue_difference']>;

/** Maximum duration of a temporary difference. */
const GRACE_MS = 60_000;
/** Maximum number of stored open differences of one connection; further ones are stored once there is room. */
const OPEN_MAX = 1_000;

/** Reads the open and the explained differences of a connection. */
export const readActiveDifferences = (work: Work, connectionId: string): Promise<DifferenceRow[]> =>
  work.db
    .selectFrom('venue_difference')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('state', 'in', ['open', 'explained'])
    .orderBy('first_seen')
    .orderBy('id')
    .execute();

/** Returns which of these subjects have a row in any state. */
export async function readStoredSubjects(
  work: Work,
  connectionId: string,
  among: readonly string[],
): Promise<ReadonlySet<string>> {
  if (among.length === 0) return new Set();
  const rows = await work.db
    .selectFrom('venue_difference')
    .select('subject')
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('subject', 'in', among)
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** Returns the details of a stored difference, which {@link mergeDifferences} wrote. */
export const differenceDetailsOf = ({ about }: Pick<DifferenceRow, 'about'>): DifferenceDetails =>
  about as DifferenceDetails;

/**
 * Stores the differences of a run: new ones, and updates of stored ones. Stored ones within `scopes` that the run did not find
 * become `gone`; explained orders and fills stay explained. Call under the account's lock.
 */
export async function mergeDifferences(
  tx: Work,
  connectionId: string,
  { found, scopes }: { readonly found: readonly Difference[]; readonly scopes: readonly DifferenceScope[] },
  now: Date,
): Promise<void> {
  const standing = await readActiveDifferences(tx, connectionId);
  const open = new Map(standing.filter(isOpen).map((row) => [row.subject, row]));
  const explained = new Set(standing.filter((row) => !isOpen(row)).map(({ subject }) => subject));
  let room = OPEN_MAX - open.size;
  for (const difference of found) {
    const before = open.get(difference.subject);
    if (before !== undefined) await update(tx, before, difference, now);
    else if (!isInScopes(['order', 'fill'], difference.subject) || !explained.has(difference.subject)) {
      if (room-- > 0) await insert(tx, connectionId, withLasting(null, difference, now), now);
    }
  }
  const seen = new Set(found.map(({ subject }) => subject));
  const gone = standing.filter(
    (row) =>
      isInScopes(scopes, row.subject) &&
      !seen.has(row.subject) &&
      (isOpen(row) || isInScopes(['order'], row.subject)),
  );
  await endDifferences(
    tx,
    gone.map(({ id }) => id),
    now,
  );
}

const isOpen = ({ state }: DifferenceRow): boolean => state === 'open';

const insert = (
  tx: Work,
  connectionId: string,
  difference: Difference,
  now: Date,
  closed: Partial<Pick<DifferenceRow, 'resolved_by' | 'note'>> & {
    readonly state: DifferenceRow['state'];
    readonly resolved_at?: Date;
  } = { state: 'open' },
) =>
  tx.db
    .insertInto('venue_difference')
    .values({
      account_id: tx.accountId,
      id: tx.newId(),
      connection_id: connectionId,
      subject: difference.subject,
      kind: difference.kind,
      ...amountsOf(difference),
      about: JSON.stringify(difference.about),
      first_seen: now,
      since: now,
      last_seen: now,
      ...closed,
    })
    .execute();

async function update(tx: Work, before: DifferenceRow, found: Difference, now: Date): Promise<void> {
  const difference = withLasting(before, found, now);
  const kind = kindAfter(before, difference, now);
  await tx.db
    .updateTable('venue_difference')
    .set({
      kind,
      ...amountsOf(difference),
      about: JSON.stringify(difference.about),
      last_seen: now,
      ...(keepsSince(before, found, kind, now) ? {} : { since: now }),
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', before.id)
    .execute();
}

/** Whether an update keeps `since`: the time runs on from when a temporary difference should have ended. */
const keepsSince = (before: DifferenceRow, found: Difference, kind: Difference['kind'], now: Date): boolean =>
  kind === before.kind ||
  isOverdue(before, found, now) ||
  (found.kind === 'in_flight' && kind === 'unexplained');

/** Adds to a difference the part that has lasted since its detection. `before`: null at its detection. */
function withLasting(before: DifferenceRow | null, difference: Difference, now: Date): Difference {
  const { moving, kind, about } = difference;
  if (moving === undefined) return difference;
  const stood =
    before === null || !STATED.has(before.kind) ? ZERO : exact(differenceDetailsOf(before).gap ?? 0);
  const stated = kind === 'unexplained' ? statedAfter(stood, exact(about.gap ?? 0)) : stood;
  const waits = before === null ? [] : (differenceDetailsOf(before).waits ?? []);
  const lasting = gapStateAfter({ stated, waits }, moving, now);
  const isStated = !lasting.stated.isZero();
  const gap = isStated ? lasting.stated : moving.whole;
  return {
    ...difference,
    kind: isStated ? 'unexplained' : kind,
    worth: worthAt(difference, gap),
    about: { ...about, gap: gap.toFixed(), waits: lasting.waits },
  };
}

/** Kinds whose gap is stated, so that no later order explains it. */
const STATED: ReadonlySet<Difference['kind']> = new Set(['unexplained', 'external_fill']);

/** Returns the worth of another part of the same gap. */
function worthAt({ worth, about }: Difference, gap: Exact): Exact | null {
  const of = exact(about.gap ?? 0);
  return worth === null || of.isZero() ? worth : worth.times(gap.div(of)).abs();
}

/** Whether the venue's list has lagged for too long. */
const isOverdue = (before: DifferenceRow, { kind, graceMs = GRACE_MS }: Difference, now: Date): boolean =>
  kind === 'lag' && before.kind === 'lag' && now.getTime() - Date.parse(before.since) >= graceMs;

/** Returns the kind after an update: an overdue temporary difference becomes `unexplained`; an external fill stays one. */
function kindAfter(before: DifferenceRow, difference: Difference, now: Date): Difference['kind'] {
  const { kind } = difference;
  if (kind === 'lag' && before.kind === 'unexplained') return 'unexplained';
  if (isOverdue(before, difference, now)) return 'unexplained';
  return kind === 'unexplained' && before.kind === 'external_fill' ? 'external_fill' : kind;
}

const amountsOf = ({ ours, theirs, worth }: Difference) => ({
  ours: plain(ours),
  theirs: plain(theirs),
  worth: plain(worth),
});

const plain = (amount: Exact | null): string | null => amount?.toFixed(12) ?? null;

async function endDifferences(tx: Work, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .updateTable('venue_difference')
    .set({ state: 'gone', resolved_at: now })
    .where('account_id', '=', tx.accountId)
    .where('id', 'in', ids)
    .execute();
}

/** Closes a difference in one of the final states. Call under the account's lock. */
export const closeDifference = (
  tx: Work,
  id: string,
  closed: { readonly state: 'booked' | 'explained' | 'gone'; readonly note: string | null },
  now: Date,
): Promise<DifferenceRow> =>
  tx.db
    .updateTable('venue_difference')
    .set({ ...closed, resolved_by: tx.actor, resolved_at: now })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Closes the open difference of a subject, if there is one. Call under the account's lock. */
export async function closeBySubject(
  tx: Work,
  connectionId: string,
  subject: string,
  now: Date,
  state: 'booked' | 'gone' = 'gone',
): Promise<void> {
  await tx.db
    .updateTable('venue_difference')
    .set({ state, resolved_at: now, ...(state === 'booked' ? { resolved_by: tx.actor } : {}) })
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .where('state', '=', 'open')
    .execute();
}

/** Stores a difference that was booked at its detection. Call under the account's lock. */
export const insertClosed = (
  tx: Work,
  connectionId: string,
  difference: Difference,
  note: string,
  now: Date,
) =>
  insert(tx, connectionId, difference, now, {
    state: 'booked',
    resolved_by: tx.actor,
    resolved_at: now,
    note,
  });

/** Parses a number of a row; zero if it has none. */
export const amountOf = (stored: string | null): Exact => exact(stored ?? 0);
