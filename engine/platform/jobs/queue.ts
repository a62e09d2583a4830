/** Jobs that wait in a table until a process runs them under a lease: backtests, sweeps. */
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Db } from '../../../db/tables.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { recordEvents } from '../events/events.ts';
import { finishedEvent } from './cancel-job.ts';
import type { JobTable } from './job-rows.ts';
import { leaseEnd } from './lease.ts';

/** The right of one process to run one attempt. A process that lost it changes nothing. */
export type Lease = { readonly id: string; readonly owner: string; readonly attempt: number };

/** At most `count` jobs, and `spare` more for accounts with none running: a long run delays no first one. */
export type Claim = {
  readonly owner: string;
  readonly count: number;
  readonly spare?: number;
  readonly leaseMs: number;
};

/** State of a lease: extended, canceled by a user, or taken over by another process. */
export type LeaseState = 'extended' | 'canceled' | 'lost';

/** Values written to a row of a table. */
type Written<Table extends JobTable> = {
  readonly [Column in keyof Updateable<Database[Table]>]?:
    | Updateable<Database[Table]>[Column]
    | RawBuilder<unknown>;
};

/** Properties of one kind of job. */
type Kind<Table extends JobTable> = {
  readonly table: Table;
  /** Limit of running jobs of one account, over all processes. */
  readonly runningMax: number;
  /** Written when an attempt begins. */
  readonly begun: Written<Table>;
  /** Written when an attempt is handed back. */
  readonly handedBack: Written<Table>;
  /** Deletes the results of a lost attempt, if the next one begins from the start. */
  readonly clear?: (tx: Db, accountId: string, id: string) => Promise<void>;
};

/** Takes, extends, ends and requeues the jobs of one table, for processes that know nothing of each other. */
export class JobQueue<Table extends JobTable> {
  readonly #kind: Kind<Table>;

  constructor(kind: Kind<Table>) {
    this.#kind = kind;
  }

  /**
   * Takes jobs that wait, and those whose process was lost. The first job of each account
   * goes before the second of any; among equals, the account served longest ago goes first.
   */
  async claim(db: Db, { owner, count, spare = 0, leaseMs }: Claim): Promise<Selectable<Database[Table]>[]> {
    if (count + spare === 0) return [];
    const { begun, clear } = this.#kind;
    return inTransaction(db, async (tx) => {
      const claimed: Selectable<Database[Table]>[] = [];
      for (const { account_id, id } of await this.#free(tx, count, spare)) {
        await clear?.(tx, account_id, id);
        const row = await this.#update(tx, account_id, id, {
          ...begun,
          status: 'running',
          lease_owner: owner,
          leased_until: leaseEnd(leaseMs),
          attempts: sql<number>`attempts + 1`,
          started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
        })
          .returningAll()
          .executeTakeFirstOrThrow();
        claimed.push(row as Selectable<Database[Table]>);
      }
      return claimed;
    });
  }

  async #free(tx: Db, count: number, spare: number): Promise<{ account_id: string; id: string }[]> {
    const { table, runningMax } = this.#kind;
    // One process at a time: two that counted an account's running jobs at once would both find room.
    const { rows: turns } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${table}, 0)) as ours`.execute(tx);
    if (turns[0]?.ours !== true) return [];
    const { rows } = await sql<{ account_id: string; id: string }>`
      with busy as (
        select account_id, count(*) as running from ${sql.table(table)}
        where status = 'running' and leased_until >= clock_timestamp() group by account_id
      ), served as (
        select account_id, max(started_at) as last from ${sql.table(table)} group by account_id
      ), waiting as (
        select account_id, id, created_at,
          row_number() over (partition by account_id order by status = 'queued', created_at, id) as place
        from ${sql.table(table)}
        where status = 'queued' or (status = 'running' and leased_until < clock_timestamp())
      ), line as (
        select w.account_id, w.id, w.place + coalesce(u.running, 0) as nth,
          row_number() over (order by w.place + coalesce(u.running, 0), s.last nulls first, w.created_at, w.id) as turn
        from waiting w left join busy u using (account_id) left join served s using (account_id)
      )
      select j.account_id, j.id from ${sql.table(table)} j join line l on l.account_id = j.account_id and l.id = j.id
      where l.nth <= ${runningMax} and (l.turn <= ${count} or l.nth = 1)
      order by l.turn limit ${count + spare} for update of j skip locked`.execute(tx);
    return rows;
  }

  /** Extends a lease and records the progress of the job. */
  async extend(work: Work, lease: Lease, values: Written<Table>, leaseMs: number): Promise<LeaseState> {
    const row = await this.#held(work, lease, { ...values, leased_until: leaseEnd(leaseMs) })
      .returning('cancel_requested_at')
      .executeTakeFirst();
    if (row === undefined) return 'lost';
    return row.cancel_requested_at === null ? 'extended' : 'canceled';
  }

  /** Records a result while the lease holds. */
  async note(work: Work, lease: Lease, known: Written<Table>): Promise<void> {
    await this.#held(work, lease, known).execute();
  }

  /** Ends a job, once, with its stored result. False if the lease is lost. */
  async end(
    work: Work,
    lease: Lease,
    status: 'done' | 'canceled' | 'failed',
    outcome: Written<Table>,
  ): Promise<boolean> {
    return underAccountLock(work, async (tx, now) => {
      const row = await this.#held(tx, lease, {
        ...this.#kind.handedBack,
        ...outcome,
        status,
        progress: null,
        lease_owner: null,
        leased_until: null,
        // A clock may be set back meanwhile.
        finished_at: sql<string>`greatest(${now}, started_at)`,
      })
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return false;
      await recordEvents(tx, now, [finishedEvent(this.#kind.table, lease.id, status)]);
      return true;
    });
  }

  /** Returns a job to the queue. `isCounted`: its process was lost; else a stopping process gives it back without a penalty. */
  async requeue(work: Work, lease: Lease, isCounted: boolean): Promise<void> {
    await this.#held(work, lease, {
      ...this.#kind.handedBack,
      status: 'queued',
      lease_owner: null,
      leased_until: null,
      ...(!isCounted && { attempts: lease.attempt - 1 }),
    }).execute();
  }

  #held({ db, accountId }: Work, { id, owner, attempt }: Lease, values: object) {
    return this.#update(db, accountId, id, values)
      .where('status', '=', 'running')
      .where('lease_owner', '=', owner)
      .where('attempts', '=', attempt);
  }

  #update(db: Db, accountId: string, id: string, values: object) {
    // Uses the columns that every such table has; those of one kind come typed by its table.
    return db
      .updateTable(this.#kind.table as 'sweep')
      .set(values)
      .where('account_id', '=', accountId)
      .where('id', '=', id);
  }
}
