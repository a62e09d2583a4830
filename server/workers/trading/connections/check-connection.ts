import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../../db/tables.ts';
import type { Work } from '../../../../engine/platform/context.ts';
import {
  type PreflightFacts,
  preflightChecksOf,
  preflightFindingOf,
  type RequestResult,
} from '../../../../engine/trading/connections/preflight.ts';
import type { Check } from '../../../../engine/trading/connections/preflight-checks.ts';
import type { ConnectionRow } from '../../../../engine/trading/connections/row.ts';
import type { Finding } from '../../../../engine/trading/connections/states.ts';
import type { Broker, OpenVenueOrder, VenueStatus } from '../../../../venues/broker.ts';
import { VenueError } from '../../../../venues/errors.ts';

export type CheckedConnection = {
  readonly work: Work;
  /** For all accounts: one venue account has one owner. */
  readonly db: Db;
  /** Claims the venue account in the directory of all cells. False: another connection has it. Null: not known now. */
  readonly claim: (fingerprint: string) => Promise<boolean | null>;
  readonly row: ConnectionRow;
  readonly broker: Broker;
  /** A broker of the same account whose key is wrong on purpose. */
  readonly spoiled: () => Promise<Broker>;
  readonly isStreamUp: () => boolean;
  /** As `dryRunOrder` of `dry-run-order.ts`. */
  readonly dryRunOrder: () => Promise<string | null | undefined>;
  /** The taker fee rate that orders reserve, if the venue states what it charges the account; null: unknown. */
  readonly reservedRate: () => Promise<string | null>;
  readonly now: () => Date;
};

export type ConnectionCheckResult = {
  readonly rows: readonly Check[];
  readonly finding: Finding;
  readonly status: VenueStatus | null;
  readonly isTaken: boolean | null;
};

const SAMPLES = 3;
/** Timeout for a newly opened stream to connect. */
const STREAM_WAIT_MS = 3_000;

/** Checks everything at the venue that needs no order, and in the database whether another connection has the account. */
export async function checkConnection(connection: CheckedConnection): Promise<ConnectionCheckResult> {
  const { row, now } = connection;
  const facts = await factsOf(connection);
  const current = { state: row.state, isHeldByPerson: row.is_held_by_person };
  const rows = preflightChecksOf(facts, { ...current, fingerprint: row.fingerprint }, now());
  return {
    rows,
    finding: preflightFindingOf(facts, rows, current, now()),
    status: facts.statuses.isKnown ? (facts.statuses.value.at(-1) ?? null) : null,
    isTaken: facts.isTaken,
  };
}

async function factsOf({
  work,
  db,
  claim,
  row,
  broker,
  spoiled,
  isStreamUp,
  dryRunOrder,
  reservedRate,
}: CheckedConnection): Promise<PreflightFacts> {
  const statuses = await statusesOf(broker);
  const isAccepted = statuses.isKnown && statuses.value.at(-1)?.fingerprint !== '';
  const skipped = { isKnown: false, reason: 'Not asked: the venue does not accept the key.' } as const;
  const ask = <T>(task: () => Promise<T>): Promise<RequestResult<T>> =>
    isAccepted ? attempt(task) : Promise.resolve(skipped);
  const openOrders = await ask(() => broker.listOpen());
  for (let waited = 0; isAccepted && !isStreamUp() && waited < STREAM_WAIT_MS; waited += 100)
    await sleep(100);
  const isFirst = row.state === 'unverified' && openOrders.isKnown && openOrders.value.length === 0;
  return {
    keyExpiresAt: row.key_expires_at === null ? null : new Date(row.key_expires_at),
    statuses,
    isSpoiledRefused: await ask(() => isRefused(spoiled)),
    balances: await ask(async () => [await broker.balances(), await broker.balances()] as const),
    terms: broker.terms === undefined ? null : await ask(() => broker.terms?.() ?? Promise.resolve({})),
    reservedTakerRate: broker.terms === undefined ? null : await reservedRate().catch(() => null),
    openOrders,
    foreignOrders: openOrders.isKnown ? await countForeign(work, row.id, openOrders.value) : 0,
    positions: await ask(() => broker.positions()),
    isStreamUp: isStreamUp(),
    cancelAll: isFirst ? await ask(() => broker.cancelAll().then(() => null)) : null,
    rehearsal: isFirst ? await dryRunResult(ask, dryRunOrder) : null,
    isTaken:
      statuses.isKnown && (await isTaken({ db, claim, row }, statuses.value.at(-1)?.fingerprint ?? '')),
    isSecond: await isSecond(work, row),
  };
}

/** Only a second refusal of a key is certain: one may be a problem of the venue. */
async function statusesOf(broker: Broker): Promise<PreflightFacts['statuses']> {
  const samples = () =>
    attempt(async () => {
      const answers: VenueStatus[] = [];
      for (let sample = 0; sample < SAMPLES; sample += 1) answers.push(await broker.status());
      return answers;
    });
  const first = await samples();
  return first.isKnown || !first.isKeyRefused ? first : samples();
}

async function dryRunResult(
  ask: <T>(task: () => Promise<T>) => Promise<RequestResult<T>>,
  dryRunOrder: () => Promise<string | null | undefined>,
): Promise<PreflightFacts['rehearsal']> {
  const result = await ask(dryRunOrder);
  if (!result.isKnown) return result;
  return result.value === undefined ? null : { isKnown: true, value: result.value };
}

async function attempt<T>(task: () => Promise<T>): Promise<RequestResult<T>> {
  try {
    return { isKnown: true, value: await task() };
  } catch (error) {
    const isKeyRefused = error instanceof VenueError && error.refusal === 'key';
    return { isKnown: false, reason: messageOf(error), isKeyRefused };
  }
}

/** Errors of adapters repeat no text of a venue or a user; messages of other errors are not shown. */
const messageOf = (error: unknown): string =>
  error instanceof VenueError ? error.message : 'The venue could not be asked.';

/** Whether a venue refuses a request signed with another key, or reports that key without rights. */
async function isRefused(open: () => Promise<Broker>): Promise<boolean> {
  const broker = await open();
  try {
    return (await broker.status()).fingerprint === '';
  } catch {
    return true;
  }
}

async function countForeign(
  work: Work,
  connectionId: string,
  listed: readonly OpenVenueOrder[],
): Promise<number> {
  if (listed.length === 0) return 0;
  const ids = listed.map(({ venueOrderId }) => venueOrderId);
  const own = await work.db
    .selectFrom('trade_order as o')
    .leftJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select(['o.venue_order_id', 'd.venue_order_id as dispatched'])
    .where('o.account_id', '=', work.accountId)
    .where('o.connection_id', '=', connectionId)
    .where(({ eb, or }) => or([eb('o.venue_order_id', 'in', ids), eb('d.venue_order_id', 'in', ids)]))
    .execute();
  const known = new Set(own.flatMap(({ venue_order_id, dispatched }) => [venue_order_id, dispatched]));
  return ids.filter((id) => !known.has(id)).length;
}

/** Claims the venue account, unless it is this connection's already. Null: whether another connection has it is not known now. */
async function isTaken(
  { db, claim, row }: Pick<CheckedConnection, 'db' | 'claim' | 'row'>,
  fingerprint: string,
): Promise<boolean | null> {
  if (fingerprint === '') return false;
  const other = await db
    .selectFrom('venue_connection')
    .select('id')
    .where('venue', '=', row.venue)
    .where('environment', '=', row.environment)
    .where('fingerprint', '=', fingerprint)
    .where('state', '!=', 'revoked')
    .where('id', '!=', row.id)
    .executeTakeFirst();
  if (other !== undefined || row.fingerprint !== null) return other !== undefined;
  const isClaimed = await claim(fingerprint);
  return isClaimed === null ? null : !isClaimed;
}

/** Orders are sent through the oldest connection of the account to the venue. */
async function isSecond(work: Work, row: ConnectionRow): Promise<boolean> {
  const oldest = await work.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', work.accountId)
    .where('venue', '=', row.venue)
    .where('state', '!=', 'revoked')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return oldest !== undefined && oldest.id !== row.id;
}

/** Returns the columns of a check's result. A venue account stays with the owner first recorded. */
export const checkResultColumns =
  ({ rows, status, isTaken }: ConnectionCheckResult, seen: ConnectionRow) =>
  (row: ConnectionRow, now: Date) => {
    const fingerprint = row.fingerprint ?? (isTaken === false ? status?.fingerprint || null : null);
    return {
      checks: [...rows],
      checked_at: now.toISOString(),
      check_requested_at:
        String(row.check_requested_at) === String(seen.check_requested_at) ? null : row.check_requested_at,
      fingerprint,
      ...(status !== null && {
        permissions: [...status.permissions],
        key_expires_at: status.keyExpiresAt?.toISOString() ?? null,
        clock_offset_ms: status.clockOffsetMs === null ? null : Math.round(status.clockOffsetMs),
      }),
    };
  };
