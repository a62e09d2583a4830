/** Whose rows a connection sees: `app.account_id`, by which the policies of `row-security.ts` let rows through. */

import type pg from 'pg';
import { BoundedClient } from './client.ts';

/** Rows of every account: work of the service itself. */
export const ALL_ACCOUNTS = '*';
/** Whoever the connection served last: for statements that read no account's table by themselves. */
export const ANY = 'any';
const NOBODY = '';
const UNKNOWN = '?';
const SCOPE = /^(?:\*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/;

/** An account's id, `ALL_ACCOUNTS` or `ANY`. */
export type Scope = string;

const SETTING = 'app.account_id';

/**
 * What a statement selects to make its connection that account's from then on: who looks an account up goes on as that
 * account, which then costs nothing more. For one row, outside a transaction.
 *
 * @param column an expression in SQL
 */
export const becoming = (column: string): string =>
  `set_config('${SETTING}', ${column}::text, false) as "${SETTING}"`;

/**
 * A statement that rides along: it goes out in the same write as what its account asks next, right before it. It has to make its
 * connection that account's, whatever it finds (`becoming`).
 */
export class Rider<Row extends pg.QueryResultRow = pg.QueryResultRow> {
  readonly statement: pg.QueryConfig;
  /** Its result; null until it has gone out. */
  answer: Promise<pg.QueryResult<Row>> | null = null;

  constructor(statement: pg.QueryConfig) {
    this.statement = statement;
  }
}

/**
 * A connection that sees no account's rows until it is told whose. It tells the server only where that changes: with a
 * transaction in the same message, which ends with it, else in a statement before, or the statement does by itself
 * (`becoming`). Needs a client that pipelines.
 */
export class ScopedClient extends BoundedClient {
  /** Called whenever the server has answered, until the client is released. */
  onAnswer: (() => void) | null = null;
  /** Takes those that wait to ride along for the account that the connection serves. */
  takeRiders: (() => readonly Rider[]) | null = null;
  #wanted = NOBODY;
  /** What the session on the server has. */
  #held = NOBODY;
  /** The transaction under way has its own. */
  #isLocal = false;

  /** From now on until `leave`, whoever asks is this. */
  enter(scope: Scope): void {
    this.#wanted = scope === ANY ? this.#held : scope;
  }

  leave(): void {
    this.#wanted = NOBODY;
    this.#isLocal = false;
    this.onAnswer = null;
    this.takeRiders = null;
  }

  protected override ask(...args: unknown[]): unknown {
    const answer = this.#ask(args);
    const { onAnswer } = this;
    if (onAnswer === null || !(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      onAnswer();
      return result;
    });
  }

  #ask(args: unknown[]): unknown {
    const riders = this.#mayCarry(args) ? this.takeRiders?.() : undefined;
    if (riders !== undefined && riders.length > 0) return this.#carry(riders, args);
    if (this.#isLocal || this.#wanted === this.#held) return this.#heed(super.ask(...args));
    const [text] = args;
    if (text === 'begin') {
      this.#isLocal = true;
      return super.ask(`begin; set local ${SETTING} = '${this.#wanted}'`);
    }
    if (typeof args.at(-1) === 'function') throw new Error('Ask for a promise: the account is said first.');
    return this.#sayFirst(args);
  }

  /** Nothing rides into a transaction, which may see what was, or whose connection another statement is changing. */
  #mayCarry(args: unknown[]): boolean {
    return args[0] !== 'begin' && typeof args.at(-1) !== 'function' && this.getTransactionStatus() === 'I';
  }

  async #carry(riders: readonly Rider[], args: unknown[]): Promise<unknown> {
    const wanted = this.#wanted;
    this.#held = UNKNOWN;
    const said = riders.map((rider) => {
      const answer = super.ask(rider.statement) as Promise<pg.QueryResult>;
      answer.catch(() => {});
      rider.answer = answer;
      return answer;
    });
    const answer = super.ask(...args);
    if (answer instanceof Promise) answer.catch(() => {});
    await Promise.all(said);
    this.#held = wanted;
    return this.#heed(answer);
  }

  /** Both go out together, so that it costs no round trip; what comes back counts once the first has held. */
  async #sayFirst(args: unknown[]): Promise<unknown> {
    const wanted = this.#wanted;
    this.#held = UNKNOWN;
    const said = super.ask(`set ${SETTING} = '${wanted}'`);
    const answer = super.ask(...args);
    if (answer instanceof Promise) answer.catch(() => {});
    await said;
    this.#held = wanted;
    return this.#heed(answer);
  }

  /** Notes whose the connection is by now, where the statement has changed that. */
  #heed(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: pg.QueryResult) => {
      const said: unknown = result.rows?.[0]?.[SETTING];
      if (said === undefined) return result;
      if (this.getTransactionStatus() !== 'I') {
        this.#held = UNKNOWN;
        throw new Error('Whose a connection is changes outside transactions alone.');
      }
      this.#held = typeof said === 'string' ? said : UNKNOWN;
      return result;
    });
  }
}

/** The pool as one account sees it, or the service. */
export function scopedPool(pool: pg.Pool, scope: Scope) {
  if (scope !== ANY && !SCOPE.test(scope)) throw new Error('An account is named by its id.');
  return {
    options: pool.options,
    async connect(): Promise<pg.PoolClient> {
      const client = await pool.connect();
      if (client instanceof ScopedClient) client.enter(scope);
      return client;
    },
    end: async () => {},
  };
}

/** Whoever takes a connection next begins as nobody. */
export function leaveAtRelease(pool: pg.Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof ScopedClient) client.leave();
  });
}
