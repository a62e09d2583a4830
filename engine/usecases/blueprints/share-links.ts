import { type Selectable, sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import { type Handles, unscopedDb } from '../../../db/pool.ts';
import type { Database } from '../../../db/tables.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { hashToken, newSecret } from '../../trading/keys/token.ts';
import { lockBlueprint } from './drafts/row.ts';

/** Links that have not expired: of one blueprint, and of one account. */
export const LINKS_OF_BLUEPRINT_MAX = 5;
export const LINKS_OF_ACCOUNT_MAX = 50;
export const LINK_DAYS_MAX = 90;
const DAY_MS = 86_400_000;

const TOKEN = /^tsh_[\w-]{43}$/;

export type ShareLink = Pick<Selectable<Database['share_link']>, 'id' | 'created_at' | 'expires_at'>;

const COLUMNS = ['id', 'created_at', 'expires_at'] as const;

/** The links of the account that have not expired, oldest first. */
const validLinks = ({ db, accountId }: Work, now: Date) =>
  db
    .selectFrom('share_link')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at')
    .limit(LINKS_OF_ACCOUNT_MAX);

/** The links of a blueprint that have not expired, oldest first; none for a blueprint of another account. */
export const listShareLinks = async (work: Work, blueprintId: string): Promise<ShareLink[]> =>
  validLinks(work, await work.clock(work.db))
    .where('blueprint_id', '=', blueprintId)
    .select(COLUMNS)
    .execute();

/**
 * Creates a link by which anyone sees the blueprint’s draft until it expires. The token is returned this once; only its hash is
 * stored.
 *
 * @throws DomainError `not_found`, `quota_exceeded`.
 */
export function createShareLink(
  work: Work,
  blueprintId: string,
  days: number,
): Promise<ShareLink & { token: string }> {
  return underAccountLock(work, async (tx, now) => {
    await lockBlueprint(tx, blueprintId);
    await refuseTooManyLinks(tx, blueprintId, now);
    const token = `tsh_${newSecret()}`;
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    const row = await tx.db
      .insertInto('share_link')
      .values({
        account_id: tx.accountId,
        id: tx.newId(),
        blueprint_id: blueprintId,
        token_hash: hashToken(token),
        created_at: now,
        expires_at: expiresAt,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await note(tx, 'shared', blueprintId, { expiresAt: expiresAt.toISOString() }, now);
    return { ...row, token };
  });
}

async function refuseTooManyLinks(tx: Work, blueprintId: string, now: Date): Promise<void> {
  const links = await validLinks(tx, now).select('blueprint_id').execute();
  const own = links.filter((link) => link.blueprint_id === blueprintId).length;
  if (own < LINKS_OF_BLUEPRINT_MAX && links.length < LINKS_OF_ACCOUNT_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    own < LINKS_OF_BLUEPRINT_MAX
      ? `The account has ${links.length} links of at most ${LINKS_OF_ACCOUNT_MAX}. Revoke one first.`
      : `The strategy has ${own} links of at most ${LINKS_OF_BLUEPRINT_MAX}. Revoke one first.`,
  );
}

/** Ends a link at once. @throws DomainError `not_found`. */
export function revokeShareLink(work: Work, id: string): Promise<void> {
  return underAccountLock(work, async (tx, now) => {
    const link = await tx.db
      .deleteFrom('share_link')
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .returning('blueprint_id')
      .executeTakeFirst();
    if (link === undefined) throw notFound();
    await note(tx, 'unshared', link.blueprint_id, null, now);
  });
}

/** Deletes all links of an account. */
export async function dropShareLinks({ db, accountId }: Work): Promise<void> {
  await db.deleteFrom('share_link').where('account_id', '=', accountId).execute();
}

const note = (tx: Work, verb: string, blueprintId: string, after: Json, at: Date) =>
  audit(tx, { mode: null, action: `blueprint.${verb}`, subjectId: blueprintId, before: null, after, at });

/** A draft as everyone with its link sees it. */
export type SharedDraft = { readonly name: string; readonly visual: Json; readonly expires_at: string };

/**
 * Finds the draft that a token shows. A function of the database reads past the walls between accounts, and returns only this.
 *
 * @throws DomainError `not_found`, the same for a wrong token, a revoked or expired link, and a deleted blueprint
 */
export async function readSharedDraft(handles: Handles, token: string): Promise<SharedDraft> {
  if (!TOKEN.test(token)) throw notFound();
  const { rows } = await sql<SharedDraft>`select * from shared_draft(${hashToken(token)})`.execute(
    unscopedDb(handles),
  );
  const [draft] = rows;
  if (draft === undefined) throw notFound();
  return draft;
}
