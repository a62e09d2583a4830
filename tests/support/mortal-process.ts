import type pg from 'pg';
import { BoundedClient } from '../../db/client.ts';
import type { Pool } from '../../db/pool.ts';
import type { Clock } from '../../engine/platform/context.ts';
import type { Broker } from '../../venues/broker.ts';

/** A process that dies at its `dyingAt`th step; after that it does nothing. */
export class MortalProcess {
  steps = 0;
  isDead = false;
  readonly #dyingAt: number;
  readonly #clock: Clock;

  constructor(dyingAt: number, clock: Clock) {
    this.#dyingAt = dyingAt;
    this.#clock = clock;
  }

  step(): void {
    this.steps++;
    if (this.steps === this.#dyingAt) this.isDead = true;
    if (this.isDead) throw new Error('killed');
  }

  /** Reads the clock right after the account's lock was taken: to die there is to die inside the transaction. */
  clock: Clock = async (db) => {
    this.step();
    return this.#clock(db);
  };

  /** A broker on which the process may die before and after each response. */
  broker(broker: Broker): Broker {
    const around = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      this.step();
      const result = await call();
      this.step();
      return result;
    };
    return {
      absenceProof: broker.absenceProof,
      prepare: (...order) => broker.prepare(...order),
      place: (...order) => around(() => broker.place(...order)),
      cancel: (ref) => around(() => broker.cancel(ref)),
      find: (ref) => around(() => broker.find(ref)),
      listOpen: () => around(() => broker.listOpen()),
      fillsSince: (cursor) => around(() => broker.fillsSince(cursor)),
      positions: () => around(() => broker.positions()),
      balances: () => around(() => broker.balances()),
      transfers: (since) => around(() => broker.transfers(since)),
      status: () => broker.status(),
      cancelAll: () => broker.cancelAll(),
    };
  }
}

/**
 * The database of processes that may die. While `by` has one, each statement is two steps of it: before it is sent, and after
 * its response. That includes the statements that begin and end a transaction. Death ends the connection and drops uncommitted
 * changes.
 */
export class MortalDatabase {
  by: MortalProcess | null = null;
  readonly #seen = new WeakSet<pg.PoolClient>();

  constructor(pool: Pool) {
    pool.native.on('acquire', (client) => this.#follow(client));
  }

  #follow(client: pg.PoolClient): void {
    if (this.#seen.has(client)) return;
    this.#seen.add(client);
    const query = client.query as (...args: unknown[]) => Promise<unknown>;
    Object.defineProperty(client, 'query', {
      value: async (...args: unknown[]) => {
        const process = this.by;
        if (process === null) return query(...args);
        try {
          process.step();
          const answer = await query(...args);
          process.step();
          return answer;
        } catch (error) {
          if (process.isDead && client instanceof BoundedClient)
            client.endIfSilentSince(Number.POSITIVE_INFINITY);
          throw error;
        }
      },
    });
  }
}
