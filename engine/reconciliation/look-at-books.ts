import type { VenueBalance, VenuePosition } from '../../venues/broker.ts';
import { VENUES } from '../../venues/catalogue.ts';
import { isMoney } from '../../venues/trading.ts';
import { underAccountLock } from '../account-lock.ts';
import { moveCash } from '../accounting/move-cash.ts';
import { openLiveBooks } from '../accounts/open.ts';
import type { Work } from '../context.ts';
import { type Exact, exact, sumOf, ZERO } from '../decimal.ts';
import { valueAt } from '../valuation.ts';
import { believed } from './believe.ts';
import { type CashFacts, compareCash, type SelfBooked } from './cash.ts';
import { doneAt, keepProgress, readCursor } from './cursor.ts';
import { type Difference, subjects } from './difference.ts';
import { answered, type VenueAccount } from './look.ts';
import { type Amounts, comparePositions, inOneBook, type PositionFacts, paidForPairs } from './positions.ts';
import { type OurBooks, readOurBooks, readWorths } from './read-ours.ts';
import {
  aboutOf,
  amountOf,
  closeBySubject,
  type DifferenceRow,
  insertClosed,
  mergeDifferences,
  readStanding,
} from './store.ts';

/** What the venue says the account has. */
type Told = {
  readonly positions: readonly VenuePosition[];
  readonly balances: readonly VenueBalance[];
};

/** How long nothing may have moved before the venue's money is compared with ours. */
const SETTLED_MS = 30_000;

/**
 * Compares holdings and money. A difference is believed once the venue has told the same again and again; a read that fails is no
 * answer. What is explained books itself, the rest is written down.
 *
 * @returns whether the venue said anything that could be believed.
 */
export async function lookAtBooks(account: VenueAccount): Promise<boolean> {
  const { work, connection } = account;
  const startedAt = await work.clock(work.db);
  const told = await believedOf(account, startedAt);
  if (told === null) return false;
  await underAccountLock(work, async (tx, now) => {
    await openLiveBooks(tx, now);
    const { differences, booked, hasAgreed } = await compare(tx, account, told, startedAt);
    await mergeDifferences(tx, connection.id, { found: differences, scopes: ['position', 'cash'] }, now);
    for (const move of booked) await bookItself(tx, connection.id, move, now);
    await keepBalances(tx, connection.id, told.balances, now);
    const agreed = hasAgreed ? { agreed_at: now.toISOString() } : {};
    await keepProgress(tx, connection.id, { ...doneAt('books', startedAt), ...agreed });
  });
  return true;
}

/**
 * What differs between the books and what the venue says of holdings and money now: all that no person has explained. Nothing is
 * written. Null where the venue says another thing each time.
 *
 * @throws VenueError where the venue could not be read.
 */
export async function differencesNow(account: VenueAccount): Promise<readonly Difference[] | null> {
  const { work } = account;
  const startedAt = await work.clock(work.db);
  const told = await believedOf(account, startedAt);
  if (told === null) return null;
  const { differences, booked } = await compare(work, account, told, startedAt);
  return [...differences, ...booked.map(({ kind, amount }) => unbooked(kind, amount))];
}

/** What the service would book by itself. */
const unbooked = (kind: SelfBooked['kind'], amount: Exact): Difference => ({
  subject: subjects.cash,
  kind: kind === 'fee_true_up' ? 'fee' : kind === 'redemption' ? 'unredeemed' : 'transfer',
  ours: ZERO,
  theirs: amount,
  worth: amount.abs(),
  about: { gap: amount.toFixed() },
});

/** Holdings and money, once the venue has told the same often enough. */
function believedOf(account: VenueAccount, startedAt: Date): Promise<Told | null> {
  const { work, broker, pause } = account;
  return believed(
    async (): Promise<Told> => ({
      positions: await answered(() => broker.positions()),
      balances: await answered(() => broker.balances()),
    }),
    {
      agrees: async (answer) => {
        const { differences, booked } = await compare(work, account, answer, startedAt);
        return differences.length === 0 && booked.length === 0;
      },
      isSame: (a, b) => textOf(a) === textOf(b),
      pause,
    },
  );
}

const textOf = ({ positions, balances }: Told): string =>
  JSON.stringify([
    positions.map(({ tokenId, amount }) => `${tokenId} ${exact(amount).toFixed()}`).sort(),
    balances.map(({ currency, shard, total }) => `${currency} ${shard} ${exact(total).toFixed()}`).sort(),
  ]);

type Compared = {
  readonly differences: readonly Difference[];
  readonly booked: readonly SelfBooked[];
  readonly hasAgreed: boolean;
};

async function compare(
  work: Work,
  { connection }: VenueAccount,
  told: Told,
  startedAt: Date,
): Promise<Compared> {
  const { clearing } = VENUES[connection.venue];
  const { agreed_at } = await readCursor(work, connection.id);
  const ours = await readOurBooks(work, connection.id, agreed_at);
  const standing = await readStanding(work, connection.id);
  const external = externalOf(standing);
  const isFirst = agreed_at === null;
  const quietMs = standing.some(isComing) ? 0 : quietSince(ours, external, startedAt);

  const held = told.positions.map(({ tokenId, amount }) => ({ tokenId, amount: exact(amount) }));
  const positions = {
    clearing,
    ours: inOneBook(ours.held, clearing),
    theirs: inOneBook(held, clearing),
    explained: sumBy(explainedIn(standing, 'position')),
    external: sumBy(external),
    isQuiet: quietMs >= clearing.positionsLagMs,
    isFirst,
  };
  const worths = await worthsOf(work, positions);
  const found = comparePositions({ ...positions, ...worths });
  // Claims are written where a market is settled: what the venue still shows of it is known there.
  const differing = found.filter(({ kind }) => kind !== 'unredeemed');

  const cash: CashFacts = {
    ours: ours.cash,
    theirs: sumOf(told.balances.filter(({ currency }) => isMoney(currency)).map(({ total }) => total)),
    explained: sumOf(explainedIn(standing, 'cash').map(({ amount }) => amount)),
    external: sumOf(external.map(({ proceeds }) => proceeds)),
    netted: paidForPairs(ours.held, positions, clearing),
    claims: claimsIn(standing, positions.theirs),
    traded: ours.traded,
    positionsAgree: differing.length === 0,
    isQuiet: quietMs >= SETTLED_MS,
    isFirst,
  };
  const { booked, difference } = compareCash(cash);
  const differences = difference === null ? differing : [...differing, difference];
  const hasAgreed = cash.isQuiet && (isFirst || differences.length === 0);
  return { differences, booked, hasAgreed };
}

/** For how long nothing has moved, as far as books and fills of others say. */
function quietSince(ours: OurBooks, external: readonly External[], startedAt: Date): number {
  if (ours.inFlight > 0) return 0;
  const moved = [ours.movedAt, ...external.map(({ seenAt }) => seenAt)].filter((at) => at !== null);
  return startedAt.getTime() - Math.max(0, ...moved.map((at) => at.getTime()));
}

/** A fill of ours that its order does not show yet. */
const isComing = ({ subject, kind, state }: DifferenceRow): boolean =>
  state === 'open' && kind === 'lag' && subject.startsWith('fill:');

type External = {
  readonly tokenId: string;
  /** Signed. */
  readonly amount: Exact;
  /** What it brought or cost, its fee off. USD. */
  readonly proceeds: Exact;
  readonly seenAt: Date;
};

/** Fills of others, those a person has explained among them: they stay where they are. */
const externalOf = (standing: readonly DifferenceRow[]): External[] =>
  standing
    .filter(
      ({ subject, kind }) => subject.startsWith('fill:') && (kind === 'external_fill' || kind === 'netting'),
    )
    .map((row) => {
      const { tokenId = '', side, price = '0', fee = '0' } = aboutOf(row);
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
      const { tokenId = '', gap = '0' } = aboutOf(row);
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
      const { tokenId = '' } = aboutOf(row);
      return { tokenId, worth: amountOf(row.worth), isAtVenue: (theirs.get(tokenId) ?? ZERO).gt(0) };
    });

/** Prices of everything that is compared; of yes by those of no where only that is known. */
async function worthsOf(
  work: Work,
  { ours, theirs, explained, external }: Pick<PositionFacts, 'ours' | 'theirs' | 'explained' | 'external'>,
): Promise<Pick<PositionFacts, 'marks' | 'paid'>> {
  const tokenIds = [...new Set([ours, theirs, explained, external].flatMap((each) => [...each.keys()]))];
  const others = new Map(
    tokenIds.filter((id) => id.endsWith(':yes')).map((id) => [id, id.replace(/:yes$/, ':no')]),
  );
  const { marks, paid } = await readWorths(work, [...tokenIds, ...others.values()]);
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

const WORDS: Readonly<Record<SelfBooked['kind'], string>> = {
  transfer: 'The balance at the venue moved while every holding agrees.',
  fee_true_up: 'The venue charged another fee than was booked.',
  redemption: 'What was won has been redeemed.',
};

async function bookItself(tx: Work, connectionId: string, move: SelfBooked, now: Date): Promise<void> {
  const { kind, amount } = move;
  const reason = WORDS[kind];
  await moveCash(tx, { kind, amount, connectionId, reason }, now);
  if (move.kind === 'redemption') {
    await closeBySubject(tx, connectionId, subjects.unredeemed(move.tokenId), now, 'booked');
    return;
  }
  const difference: Difference = {
    subject: subjects.cash,
    kind: kind === 'transfer' ? 'transfer' : 'fee',
    ours: ZERO,
    theirs: amount,
    worth: amount.abs(),
    about: { gap: amount.toFixed() },
  };
  await insertClosed(tx, connectionId, difference, reason, now);
}

async function keepBalances(
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
