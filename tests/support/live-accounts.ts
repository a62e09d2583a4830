/** Live accounts and their venue's records, to compare with the books. */
import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import type { Venue } from '../../db/vocabulary.ts';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { loadConnection } from '../../engine/trading/connections/row.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { reconcileConnection } from '../../engine/trading/reconciliation/reconcile.ts';
import { openedForFile } from './opened.ts';
import { ScriptedAccount } from './scripted-account.ts';
import {
  intentOf,
  LIVE_SETTINGS,
  openTradingFixture,
  type Trader,
  type TradingFixture,
  YES,
} from './trading-fixture.ts';

export type Account = {
  fixture: TradingFixture;
  trader: Trader;
  work: Work;
  connectionId: string;
  venue: ScriptedAccount;
};

type AccountTerms = ConstructorParameters<typeof ScriptedAccount>[1] & {
  venue?: Venue;
  /** Acts before the first comparison. */
  before?: (account: Account) => Promise<unknown>;
};

/** A live trader at venue A, taken over by a first comparison. */
export async function openAccount(
  fixture: TradingFixture,
  { venue = 'venue-a', before = async () => undefined, ...more }: AccountTerms = {},
): Promise<Account> {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  const { id } = await fixture.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('venue', '=', venue)
    .executeTakeFirstOrThrow();
  // The database's own clock is of another year than the fixture's.
  await fixture.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update venue_connection set created_at = ${fixture.now()} where id = ${id}`.execute(tx);
  });
  const work = { ...fixture.workOf(trader.accountId, 'system'), mode: 'live' as const };
  const account = { fixture, trader, work, connectionId: id, venue: new ScriptedAccount(fixture.now, more) };
  await before(account);
  await reconcile(account);
  return account;
}

/** A fixture for one file, in which live accounts are opened while YES is quoted. */
export function liveAccounts() {
  const fixture = openedForFile(openTradingFixture);
  beforeAll(() => fixture.quote(YES));
  return { fixture, opened: (terms: AccountTerms = {}) => openAccount(fixture, terms) };
}

export const reconcile = ({ work, connectionId, venue }: Account) =>
  reconcileConnection(work, connectionId, venue, { pauseMs: 0 });

/** Compares after a wait: the venue's answer is of another instant than the fills, so recent movements are not compared. */
export async function reconcileQuiet(account: Account, ms = 31_000) {
  const { fixture } = account;
  fixture.wait(ms);
  await fixture.quote(YES);
  return reconcile(account);
}

export const differences = ({ fixture, connectionId }: Account) =>
  fixture.db
    .selectFrom('venue_difference')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .orderBy('first_seen')
    .orderBy('subject')
    .execute();
export const openDifferences = async (account: Account) =>
  (await differences(account)).filter(({ state }) => state === 'open');

export const cashMoves = ({ fixture, connectionId }: Account) =>
  fixture.db
    .selectFrom('cash_entry')
    .select(['kind', 'amount'])
    .where('connection_id', '=', connectionId)
    .where('fill_id', 'is', null)
    .orderBy('seq')
    .execute();

export const stateOf = async ({ work, connectionId }: Account) => {
  const { state, state_code } = await loadConnection(work, connectionId);
  return { state, code: state_code };
};

/** An order that rests at the venue. */
export async function restingOrder(
  account: Account,
  more: Parameters<typeof intentOf>[1] = {},
): Promise<string> {
  const { id, status, reason } = await proposeIntent(
    account.work,
    intentOf(account.trader, more),
    LIVE_SETTINGS,
  );
  expect([status, reason]).toEqual(['queued', reason]);
  await sendOrder(account.work, account.venue, id);
  expect((await account.fixture.order(id)).status).toBe('open');
  return id;
}

/** Ten YES at 0.50, bought through the connection. */
export async function boughtPosition(account: Account): Promise<string> {
  const id = await restingOrder(account);
  account.venue.fill(id, { amount: '10', fee: '0.18' }, 'filled');
  await reconcileQuiet(account);
  return id;
}

export const heldOf = async ({ work }: Account) =>
  (await listPositions(work)).map(({ tokenId, amount }) => [tokenId, exact(amount).toFixed()]);
