import type { VenueBalance, VenuePosition, VenueTransfer } from '../../../venues/broker.ts';
import { VENUES } from '../../../venues/catalogue.ts';
import { VenueError } from '../../../venues/errors.ts';
import { isMoney } from '../../../venues/trading.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, exact, sumOf, ZERO } from '../../platform/decimal.ts';
import { valueAt } from '../../platform/valuation.ts';
import { createLiveTradingAccount } from '../accounts/provision-account.ts';
import { type AccountToReconcile, withVenueTimeout } from './account-to-reconcile.ts';
import { bookAutomatically, takeOverTransfers, unbooked, unbookedOf } from './book-automatically.ts';
import { type AutoBooked, type CashFacts, compareCash } from './compare/cash.ts';
import { type Difference, differenceSubjects } from './compare/difference.ts';
import { type ExplainedGap, NOTHING_EXPLAINED } from './compare/explained-gap.ts';
import { type ExplainedGaps, explainedGapsOf } from './compare/explained-gaps.ts';
import {
  type Amounts,
  comparePositions,
  netOutcomes,
  type PositionFacts,
  pairPayouts,
} from './compare/positions.ts';
import { readConsistently } from './compare/read-consistently.ts';
import {
  amountOf,
  type DifferenceRow,
  differenceDetailsOf,
  mergeDifferences,
  readActiveDifferences,
} from './difference-store.ts';
import { progressOfPart, readProgress, storeProgress } from './progress.ts';
import {
  type OurBooks,
  readMarksAndPayouts,
  readOrdersUnderWay,
  readOurBooks,
  readRecentFills,
} from './read-our-books.ts';

/** Holdings and balances reported by the venue, and its transfers, if requested. */
type AccountReport = {
  readonly positions: readonly VenuePosition[];
  readonly balances: readonly VenueBalance[];
  readonly transfers: readonly VenueTransfer[];
};

/** A report of the venue, compared with the books of that moment. */
type Answer = { readonly report: AccountReport; readonly compared: Compared };

/** Time without movements before the venue's cash is compared with ours to the cent. */
const SETTLED_MS = 30_000;
/** Time within which the venue lists fills of resting orders. */
const GRACE_MS = 60_000;
/** Overlap before the last agreement from which transfers are listed again: one may be recorded later than it is paid. */
const TRANSFERS_OVERLAP_MS = 86_400_000;

/**
 * Reconciles holdings and cash. A difference counts only after repeated equal reads; a failed read does not count. Explained
 * differences are booked automatically, the rest is stored.
 *
 * @returns whether the venue's reads were consistent.
 */
export async function reconcileBooks(account: AccountToReconcile): Promise<boolean> {
  const { work, connection } = account;
  const startedAt = await work.clock(work.db);
  const answer = await readReport(account, startedAt);
  if (answer === null) return false;
  await underAccountLock(work, async (tx, now) => {
    await createLiveTradingAccount(tx, now);
    const { report } = answer;
    const { differences, booked, hasAgreed, isFirst } = await compare(tx, account, report, startedAt);
    await mergeDifferences(tx, connection.id, { found: differences, scopes: ['position', 'cash'] }, now);
    for (const move of booked) await bookAutomatically(tx, connection.id, move, now);
    if (hasAgreed && isFirst) await takeOverTransfers(tx, connection.id, report.transfers, now);
    await storeBalances(tx, connection.id, report.balances, now);
    const agreed = hasAgreed ? { agreed_at: now.toISOString() } : {};
    await storeProgress(tx, connection.id, { ...progressOfPart('books', startedAt), ...agreed });
  });
  return true;
}

/**
 * Returns the current differences in holdings and cash, except those that a person has explained. Writes nothing. Null if the
 * venue's reads are inconsistent.
 *
 * @throws VenueError if the venue could not be read.
 */
export async function differencesNow(account: AccountToReconcile): Promise<readonly Difference[] | null> {
  const { work } = account;
  const answer = await readReport(account, await work.clock(work.db));
  if (answer === null) return null;
  const { differences, booked } = answer.compared;
  return [...differences, ...booked.map(unbooked)];
}

/** Reads holdings and cash until enough reads are equal. Requests the venue's record of transfers if the cash differs. */
function readReport(account: AccountToReconcile, startedAt: Date): Promise<Answer | null> {
  const { work, broker, pause } = account;
  let transfers: readonly VenueTransfer[] | null = null;
  const read = async (): Promise<Answer> => {
    const held = {
      positions: await withVenueTimeout(() => broker.positions()),
      balances: await withVenueTimeout(() => broker.balances()),
    };
    const report = { ...held, transfers: transfers ?? [] };
    const compared = await compare(work, account, report, startedAt);
    if (transfers !== null || !differsInMoney(compared)) return { report, compared };
    transfers = await transfersOf(account);
    const withThem = { ...held, transfers };
    return { report: withThem, compared: await compare(work, account, withThem, startedAt) };
  };
  return readConsistently(read, {
    agrees: ({ compared: { differences, booked } }) => differences.length === 0 && booked.length === 0,
    isSame: (a, b) => textOf(a) === textOf(b),
    pause,
  });
}

const differsInMoney = ({ differences, booked }: Compared): boolean =>
  booked.length > 0 || differences.some(({ subject }) => subject === differenceSubjects.cash);

async function transfersOf({
  work,
  broker,
  connection,
}: AccountToReconcile): Promise<readonly VenueTransfer[]> {
  const { agreed_at } = await readProgress(work, connection.id);
  const since = new Date(new Date(agreed_at ?? connection.created_at).getTime() - TRANSFERS_OVERLAP_MS);
  // An unreadable record explains nothing.
  const all = await withVenueTimeout(() => broker.transfers(since)).catch((error: unknown) => {
    if (error instanceof VenueError) return [];
    throw error;
  });
  return all.filter(({ currency }) => isMoney(currency));
}

/**
 * Returns a key by which two reports count as equal: all amounts, or, while orders move them, the unexplained subjects. A busy
 * account would never report the same amounts twice.
 */
const textOf = ({ report: { positions, balances }, compared }: Answer): string =>
  compared.isQuiet
    ? JSON.stringify([
        positions.map(({ tokenId, amount }) => `${tokenId} ${exact(amount).toFixed()}`).sort(),
        balances.map(({ currency, shard, total }) => `${currency} ${shard} ${exact(total).toFixed()}`).sort(),
      ])
    : JSON.stringify(
        compared.differences
          .filter(({ kind }) => kind !== 'in_flight')
          .map(({ subject }) => subject)
          .sort(),
      );

type Compared = {
  readonly differences: readonly Difference[];
  readonly booked: readonly AutoBooked[];
  readonly hasAgreed: boolean;
  readonly isQuiet: boolean;
  readonly isFirst: boolean;
};

async function compare(
  work: Work,
  { connection }: AccountToReconcile,
  report: AccountReport,
  startedAt: Date,
): Promise<Compared> {
  const { clearing } = VENUES[connection.venue];
  const { agreed_at } = await readProgress(work, connection.id);
  const ours = await readOurBooks(work, connection.id, agreed_at);
  const standing = await readActiveDifferences(work, connection.id);
  const external = externalOf(standing);
  // The books show it: the opening balance of a venue account is taken over once.
  const isFirst = agreed_at === null && !ours.hasCash;
  const quietMs = standing.some(isComing) ? 0 : quietSince(ours, external, startedAt);
  const isQuiet = quietMs >= SETTLED_MS;
  const slack = await slackNow(work, connection, external, startedAt);
  const graceUntil = new Date(startedAt.getTime() + GRACE_MS);

  const held = report.positions.map(({ tokenId, amount }) => ({ tokenId, amount: exact(amount) }));
  const positions = {
    clearing,
    ours: netOutcomes(ours.held, clearing),
    theirs: netOutcomes(held, clearing),
    explained: sumBy(explainedIn(standing, 'position')),
    external: sumBy(external),
    isQuiet: quietMs >= clearing.positionsLagMs,
    slack: quietMs >= clearing.positionsLagMs ? new Map<string, ExplainedGap>() : slack.positions,
    graceUntil,
    isFirst,
  };
  const worths = await worthsOf(work, positions);
  const found = comparePositions({ ...positions, ...worths });
  // The settlement of a market stores its claims: holdings that the venue still lists are known from there.
  const differing = found.filter(({ kind }) => kind !== 'unredeemed');

  const cash: CashFacts = {
    ours: ours.cash,
    theirs: sumOf(report.balances.filter(({ currency }) => isMoney(currency)).map(({ total }) => total)),
    explained: sumOf(explainedIn(standing, 'cash').map(({ amount }) => amount)),
    external: sumOf(external.map(({ proceeds }) => proceeds)),
    netted: pairPayouts(ours.held, positions, clearing),
    claims: claimsIn(standing, positions.theirs),
    transfers: await unbookedOf(work, connection.id, report.transfers),
    slack: isQuiet ? NOTHING_EXPLAINED : slack.cash,
    traded: ours.traded,
    positionsAgree: differing.length === 0,
    graceUntil,
    isQuiet,
    isFirst,
  };
  const { booked, difference } = compareCash(cash);
  const differences = difference === null ? differing : [...differing, difference];
  const hasAgreed = cash.isQuiet && (isFirst || differences.length === 0);
  return { differences, booked, hasAgreed, isQuiet, isFirst };
}

/** Computes the range that known orders, delayed lists and recent external fills explain. */
async function slackNow(
  work: Work,
  { id, venue }: AccountToReconcile['connection'],
  external: readonly External[],
  startedAt: Date,
): Promise<ExplainedGaps> {
  const { clearing } = VENUES[venue];
  const lagMs = { cash: SETTLED_MS, positions: clearing.positionsLagMs };
  const foreign = external.map(({ tokenId, amount, proceeds, seenAt }) => ({
    tokenId,
    amount,
    cash: proceeds,
    at: seenAt,
  }));
  const since = new Date(startedAt.getTime() - Math.max(lagMs.cash, lagMs.positions));
  const recent = [...(await readRecentFills(work, id, since)), ...foreign];
  return explainedGapsOf(await readOrdersUnderWay(work, id, startedAt), recent, clearing, lagMs, startedAt);
}

/** Returns the time without movements, by the books and external fills, ms. */
function quietSince(ours: OurBooks, external: readonly External[], startedAt: Date): number {
  if (ours.inFlight > 0) return 0;
  const moved = [ours.movedAt, ...external.map(({ seenAt }) => seenAt)].filter((at) => at !== null);
  return startedAt.getTime() - Math.max(0, ...moved.map((at) => at.getTime()));
}

/** Whether the difference is a fill of ours that its order does not list yet. */
const isComing = ({ subject, kind, state }: DifferenceRow): boolean =>
  state === 'open' && kind === 'lag' && subject.startsWith('fill:');

type External = {
  readonly tokenId: string;
  /** Signed. */
  readonly amount: Exact;
  /** Cash movement after the fee, signed. USD. */
  readonly proceeds: Exact;
  readonly seenAt: Date;
};

/** Returns external fills, including explained ones: they stay at the venue. */
const externalOf = (standing: readonly DifferenceRow[]): External[] =>
  standing
    .filter(
      ({ subject, kind }) => subject.startsWith('fill:') && (kind === 'external_fill' || kind === 'netting'),
    )
    .map((row) => {
      const { tokenId = '', side, price = '0', fee = '0' } = differenceDetailsOf(row);
      const sign = side === 'sell' ? -1 : 1;
      const amount = amountOf(row.theirs);
      const paid = valueAt(amount, exact(price)).times(sign);
      return {
        tokenId,
        amount: amount.times(sign),
        proceeds: paid.negated().minus(fee),
        seenAt: new Date(row.first_seen),
      };
    });

const explainedIn = (standing: readonly DifferenceRow[], scope: 'position' | 'cash') =>
  standing
    .filter(({ subject, state }) => state === 'explained' && subject.startsWith(`${scope}:`))
    .map((row) => {
      const { tokenId = '', gap = '0' } = differenceDetailsOf(row);
      return { tokenId, amount: exact(gap) };
    });

const sumBy = (parts: readonly { readonly tokenId: string; readonly amount: Exact }[]): Amounts =>
  new Map(
    [...Map.groupBy(parts, ({ tokenId }) => tokenId)].map(([tokenId, each]) => [
      tokenId,
      sumOf(each.map(({ amount }) => amount)),
    ]),
  );

const claimsIn = (standing: readonly DifferenceRow[], theirs: Amounts) =>
  standing
    .filter(({ kind, state }) => kind === 'unredeemed' && state === 'open')
    .map((row) => {
      const { tokenId = '' } = differenceDetailsOf(row);
      return { tokenId, worth: amountOf(row.worth), isAtVenue: (theirs.get(tokenId) ?? ZERO).gt(0) };
    });

/** Returns the prices of all compared instruments; the price of yes from that of no if only no has one. */
async function worthsOf(
  work: Work,
  { ours, theirs, explained, external }: Pick<PositionFacts, 'ours' | 'theirs' | 'explained' | 'external'>,
): Promise<Pick<PositionFacts, 'marks' | 'paid'>> {
  const tokenIds = [...new Set([ours, theirs, explained, external].flatMap((each) => [...each.keys()]))];
  const others = new Map(
    tokenIds.filter((id) => id.endsWith(':yes')).map((id) => [id, id.replace(/:yes$/, ':no')]),
  );
  const { marks, paid } = await readMarksAndPayouts(work, [...tokenIds, ...others.values()]);
  const known = (prices: Amounts): Amounts =>
    new Map(
      tokenIds.flatMap((id) => {
        const other = prices.get(others.get(id) ?? '');
        const price = prices.get(id) ?? (other === undefined ? undefined : exact(1).minus(other));
        return price === undefined ? [] : [[id, price] as const];
      }),
    );
  return { marks: known(marks), paid: known(paid) };
}

async function storeBalances(
  tx: Work,
  connectionId: string,
  balances: readonly VenueBalance[],
  now: Date,
): Promise<void> {
  await tx.db
    .deleteFrom('venue_cash')
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId)
    .execute();
  if (balances.length === 0) return;
  await tx.db
    .insertInto('venue_cash')
    .values(
      balances.map(({ currency, shard = '', available, total }) => ({
        account_id: tx.accountId,
        connection_id: connectionId,
        currency,
        shard,
        available,
        total,
        read_at: now,
      })),
    )
    .execute();
}
