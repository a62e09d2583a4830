import type { SignalKind } from '../../../db/entities/signal.ts';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { refuseEndedKey } from '../../trading/keys/read-spending-limits.ts';
import { hashToken, newSecret } from '../../trading/keys/token.ts';
import { type SignalRange, type SignalRangeChange, withRange } from './range.ts';

/** Limit of signals of one account. */
export const SIGNALS_MAX = 20;

const TOKEN = /^tsig_[\w-]{43}$/;
const newSignalToken = (): string => `tsig_${newSecret()}`;

export type SignalRow = {
  readonly name: string;
  readonly mode: Mode;
  readonly kind: SignalKind;
  readonly min_value: number | string | null;
  readonly max_value: number | string | null;
  readonly received: string;
  readonly last_value: number | string | null;
  readonly last_at: string | null;
  /** The actor that sent the newest value; null before the first, and for one from before senders were recorded. */
  readonly last_sender: string | null;
  readonly created_at: string | Date;
};

/** `token`: returned this once; only its hash is stored. */
export type CreatedSignal = { readonly row: SignalRow; readonly token: string };

const COLUMNS = [
  ...(['name', 'mode', 'kind', 'min_value', 'max_value', 'received'] as const),
  ...(['last_value', 'last_at', 'last_sender', 'created_at'] as const),
] as const;

/** The account's signals, by name. */
export const listSignals = ({ db, accountId }: Work): Promise<SignalRow[]> =>
  db
    .selectFrom('signal')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('name')
    .limit(SIGNALS_MAX)
    .execute();

/** The key that is shown a token; null for a session. */
const keyIdOf = ({ actor }: Work): string | null => /^key:(.+)$/.exec(actor)?.[1] ?? null;

/**
 * Adds a signal in the mode of the caller. Deployments with real money read only those that were added in live mode.
 *
 * @throws DomainError `quota_exceeded`, `invalid_state` if the name is taken, `credentials_invalid` for a key that has ended.
 * @throws DomainError `validation_failed` for a range that no value is in.
 */
export function createSignal(
  work: Work,
  name: string,
  range: SignalRangeChange = {},
): Promise<CreatedSignal> {
  const { kind, min, max } = withRange({ kind: 'number', min: null, max: null }, range);
  return underAccountLock(work, async (tx, now) => {
    await refuseEndedKey(tx, now);
    const existing = await listSignals(tx);
    if (existing.some((row) => row.name === name))
      throw new DomainError('invalid_state', `There is a signal ${name} already. Choose another name.`);
    if (existing.length >= SIGNALS_MAX) {
      throw new DomainError(
        'quota_exceeded',
        `The account has ${existing.length} signals of at most ${SIGNALS_MAX}. Remove one first.`,
      );
    }
    const token = newSignalToken();
    const row = await tx.db
      .insertInto('signal')
      .values({
        account_id: tx.accountId,
        name,
        mode: tx.mode,
        kind,
        min_value: min,
        max_value: max,
        token_hash: hashToken(token),
        token_key_id: keyIdOf(tx),
        created_at: now,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await note(tx, 'created', name, { before: null, after: { name, mode: tx.mode, kind, min, max } }, now);
    return { row, token };
  });
}

/**
 * Replaces the token; the former one ends at once.
 *
 * @throws DomainError `not_found`; `invalid_state` for a live signal in paper mode; `credentials_invalid` for a key that has ended.
 */
export function rotateToken(work: Work, name: string): Promise<CreatedSignal> {
  return underAccountLock(work, async (tx, now) => {
    await refuseEndedKey(tx, now);
    await lockSignal(tx, name);
    const token = newSignalToken();
    const row = await tx.db
      .updateTable('signal')
      .set({ token_hash: hashToken(token), token_key_id: keyIdOf(tx) })
      .where('account_id', '=', tx.accountId)
      .where('name', '=', name)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await note(tx, 'rotated', name, { before: null, after: null }, now);
    return { row, token };
  });
}

/**
 * Changes what a signal takes from then on. Its newest value stays, also out of the new range.
 *
 * @throws DomainError `not_found`; `invalid_state` for a live signal in paper mode; `validation_failed` for a range that no value is in.
 */
export function updateSignal(work: Work, name: string, change: SignalRangeChange): Promise<SignalRow> {
  return underAccountLock(work, async (tx, now) => {
    const before = rangeOf(await lockSignal(tx, name));
    const after = withRange(before, change);
    const row = await tx.db
      .updateTable('signal')
      .set({ kind: after.kind, min_value: after.min, max_value: after.max })
      .where('account_id', '=', tx.accountId)
      .where('name', '=', name)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await note(tx, 'changed', name, { before: { name, ...before }, after: { name, ...after } }, now);
    return row;
  });
}

const numberOrNull = (value: number | string | null): number | null =>
  value === null ? null : Number(value);

export const rangeOf = ({ kind, min_value, max_value }: SignalRow): SignalRange => ({
  kind,
  min: numberOrNull(min_value),
  max: numberOrNull(max_value),
});

/** Deletes a signal with its values. @throws DomainError as {@link rotateToken}. */
export function deleteSignal(work: Work, name: string): Promise<void> {
  return underAccountLock(work, async (tx, now) => {
    const { mode } = await lockSignal(tx, name);
    await tx.db
      .deleteFrom('signal')
      .where('account_id', '=', tx.accountId)
      .where('name', '=', name)
      .execute();
    await note(tx, 'removed', name, { before: { name, mode }, after: null }, now);
  });
}

/**
 * Locks a signal for a change. Call in a transaction.
 *
 * @throws DomainError `not_found`; `invalid_state` for a live signal in paper mode, because it can move real money.
 */
export async function lockSignal({ db, accountId, mode }: Work, name: string): Promise<SignalRow> {
  const row = await db
    .selectFrom('signal')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (row.mode === 'live' && mode !== 'live') {
    throw new DomainError(
      'invalid_state',
      `The signal ${name} is read by deployments with real money. Use a live key, or a session in live mode.`,
    );
  }
  return row;
}

/** The signal that a token may write. */
export type TokenHolder = { readonly accountId: string; readonly name: string; readonly mode: Mode };

/** Finds the signal of a token, over all accounts; null if there is none. */
export async function findByToken(db: Db, token: string): Promise<TokenHolder | null> {
  if (!TOKEN.test(token)) return null;
  const row = await db
    .selectFrom('signal')
    .select(['account_id', 'name', 'mode'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  return row === undefined ? null : { accountId: row.account_id, name: row.name, mode: row.mode };
}

const note = (
  tx: Work,
  verb: string,
  name: string,
  { before, after }: Pick<Parameters<typeof audit>[1], 'before' | 'after'>,
  at: Date,
) =>
  audit(tx, { mode: null, action: `signal.${verb}`, subjectId: null, before, after: after ?? { name }, at });
