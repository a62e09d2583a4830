import { sql } from 'kysely';
import { accountDb, type Pool, unscopedDb } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import { accountMoving } from '../../platform/account-lock.ts';
import type { BooksKey, Work } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { singleLine } from '../../platform/text.ts';
import { NEW_ACCOUNT_LIMITS } from '../../risk/rule-limits.ts';

const NAME_MAX = 120;

export type NewAccount = {
  userId: string;
  name: string;
  /** USD a new paper account starts with. */
  paperCash: string;
};

/**
 * Returns the account of a user. Opens one with default rules and paper cash if the user has none.
 *
 * Safe to call at every sign-in and from any number of processes: a crash between creating the user and its
 * account heals at the next call, and two callers get one account.
 */
export async function findOrCreateAccountOfUser(pool: Pool, user: NewAccount): Promise<string> {
  const known = await findAccountOfUser(unscopedDb(pool), user.userId);
  if (known) return known;
  const accountId = newId();
  return accountDb(pool, accountId)
    .transaction()
    .execute(async (db) => {
      await db
        .selectNoFrom((select) =>
          select
            .fn<void>('pg_advisory_xact_lock', [
              select.fn('hashtextextended', [select.val(user.userId), select.lit(11)]),
            ])
            .as('locked'),
        )
        .execute();
      return (await findAccountOfUser(db, user.userId)) ?? (await createAccount(db, accountId, user));
    });
}

/** Returns the account of a user, if one is open. Works with any `db`, whatever account it is scoped to. */
export async function findAccountOfUser(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select account_of_user(${userId}) as id`.execute(db);
  return rows[0]?.id ?? undefined;
}

async function createAccount(
  db: Db,
  accountId: string,
  { userId, name, paperCash }: NewAccount,
): Promise<string> {
  await refuseMovedUser(db, userId);
  const now = new Date();
  await db
    .insertInto('account')
    .values({ id: accountId, name: singleLine(name, NAME_MAX, 'Account'), created_at: now })
    .execute();
  await db
    .insertInto('membership')
    .values({ account_id: accountId, user_id: userId, created_at: now })
    .execute();
  await createPaperTradingAccount(db, accountId, paperCash, now);
  return accountId;
}

/** A request of a user whose account has just left this cell opens no second one. */
async function refuseMovedUser(db: Db, userId: string): Promise<void> {
  const moved = await db
    .selectFrom('moved_account')
    .select('id')
    .where(sql<boolean>`${userId} = any(user_ids)`)
    .executeTakeFirst();
  if (moved !== undefined) throw accountMoving();
}

/**
 * Opens live books if the account has none. They start empty, because live money is at the venues, and with the stricter
 * first rules for real money.
 */
export const createLiveTradingAccount = (
  { db, accountId }: Pick<Work, 'db' | 'accountId'>,
  now: Date,
): Promise<void> => createTradingAccount(db, { accountId, mode: 'live' }, '0', now);

/** Like {@link createLiveTradingAccount}, in a transaction of its own. */
export const ensureLiveTradingAccount = (pool: Pool, accountId: string): Promise<void> =>
  accountDb(pool, accountId)
    .transaction()
    .execute((db) => createLiveTradingAccount({ db, accountId }, new Date()));

/** Whether the account has live books. */
export async function hasLiveTradingAccount(pool: Pool, accountId: string): Promise<boolean> {
  const books = await accountDb(pool, accountId)
    .selectFrom('trading_account')
    .select('mode')
    .where('account_id', '=', accountId)
    .where('mode', '=', 'live')
    .executeTakeFirst();
  return books !== undefined;
}

async function createTradingAccount(
  db: Db,
  { accountId, mode }: BooksKey,
  cash: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('risk_rules')
    .values({ account_id: accountId, mode, ...NEW_ACCOUNT_LIMITS[mode], updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('trading_account')
    .values({ account_id: accountId, mode, cash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Opens the paper books of an account, with its deposit and risk rules. */
export async function createPaperTradingAccount(
  db: Db,
  accountId: string,
  paperCash: string,
  now: Date,
): Promise<void> {
  await createTradingAccount(db, { accountId, mode: 'paper' }, paperCash, now);
  await db
    .insertInto('cash_entry')
    .values({
      account_id: accountId,
      id: newId(),
      mode: 'paper',
      kind: 'deposit',
      amount: paperCash,
      at: now,
    })
    .execute();
}
