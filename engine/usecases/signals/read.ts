import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import type { SignalArrival } from '../../strategy/graph/types.ts';

/** The newest value of a signal, as stored: its instant by the database's clock. */
export type NewestValue = SignalArrival & {
  readonly accountId: string;
  readonly name: string;
  readonly mode: Mode;
};

/** A signal that is removed and added again counts from 1 again: only with its time is the number unique. */
const arrivalId = (number: string, at: string): string => `${number} ${Date.parse(at)}`;

/** Reads the newest values of signals by name, of several accounts. */
export async function readNewestValues(
  db: Db,
  accountIds: readonly string[],
  names: readonly string[],
): Promise<NewestValue[]> {
  const { rows } = await sql<{
    account_id: string;
    name: string;
    mode: Mode;
    received: string;
    last_value: number;
    last_at: string;
  }>`
    select account_id, name, mode, received, last_value, last_at from signal
    where account_id = any(${accountIds}::uuid[]) and name = any(${names}::text[]) and received > 0`.execute(
    db,
  );
  return rows.map(({ account_id, name, mode, received, last_value, last_at }) => ({
    accountId: account_id,
    name,
    mode,
    value: last_value,
    at: Date.parse(last_at),
    id: arrivalId(received, last_at),
  }));
}

/** Whether a deployment may read a signal: with real money, only one that was added in live mode. */
export const mayRead = (deployment: Mode, signal: Mode): boolean =>
  deployment !== 'live' || signal === 'live';

/** The recorded values of one signal, by time. */
export type RecordedSignal = {
  readonly name: string;
  readonly values: readonly SignalArrival[];
  /** Whether values were deleted, and the value at the beginning may be one of them. */
  readonly isCut: boolean;
};

/** Reads the values of an account's signals that arrived before `toMs`, and of those before `fromMs` the last one. */
export async function readRecordedSignals(
  db: Db,
  accountId: string,
  { names, fromMs, toMs }: { names: readonly string[]; fromMs: number; toMs: number },
): Promise<RecordedSignal[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ name: string; number: string; at: string; value: number }>`
    select v.name, v.number, v.at, v.value
    from unnest(${names}::text[]) as wanted(name)
    join signal_value v on v.account_id = ${accountId} and v.name = wanted.name
    where v.at < ${new Date(toMs)} and v.at >= coalesce((select max(at) from signal_value
      where account_id = ${accountId} and name = wanted.name and at <= ${new Date(fromMs)}), '-infinity')
    order by v.name, v.at, v.number`.execute(db);
  const oldest = await readOldestNumbers(db, accountId, names);
  const byName = Map.groupBy(rows, ({ name }) => name);
  return names.map((name) => {
    const values = byName.get(name) ?? [];
    const [first] = values;
    return {
      name,
      values: values.map(({ number, at, value }) => ({
        value,
        at: Date.parse(at),
        id: arrivalId(number, at),
      })),
      isCut: (oldest.get(name) ?? 1n) > 1n && (first === undefined || Date.parse(first.at) > fromMs),
    };
  });
}

/** The number of the oldest value that is stored, by signal; of a signal without one, the number that comes next. */
async function readOldestNumbers(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ name: string; oldest: string }>`
    select s.name, coalesce((select min(v.number) from signal_value v
      where v.account_id = s.account_id and v.name = s.name), s.received + 1) as oldest
    from signal s where s.account_id = ${accountId} and s.name = any(${names}::text[])`.execute(db);
  return new Map(rows.map(({ name, oldest }) => [name, BigInt(oldest)]));
}
