/** The scope of a connection: `app.account_id`, by which the policies of `row-security.ts` let rows through. */

import type pg from 'pg';
import { BoundedClient, preparedQuery } from './client.ts';

/** Rows of every account: work of the service itself. */
export const ALL_ACCOUNTS = '*';
/** The last scope of the connection: for statements that themselves read no account's table. */
export const ANY_SCOPE = 'any';
const NO_SCOPE = '';
const UNKNOWN = '?';
const SCOPE = /^(?:\*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/;

/** An account's id, `ALL_ACCOUNTS` or `ANY`. */
export type Scope = string;

/** The setting of a session by which the policies let rows through. */
export const SETTING = 'app.account_id';

/**
 * An SQL expression in a select list that gives its connection the account's scope from then on. A statement that looks up an
 * account continues as that account at no further cost. For one row, outside a transaction.
 *
 * @param column an expression in SQL
 */
export const selectScope = (column: string): string =>
  `set_config('${SETTING}', ${column}::text, false) as "${SETTING}"`;

/**
 * A statement that rides along: it is sent in the same write as its account's next statement, right before it. It must itself
 * set the scope of its connection, whatever its result (`becoming`).
 */
export class PiggybackStatement<Row extends pg.QueryResultRow = pg.QueryResultRow> {
  readonly statement: pg.QueryConfig;
  /** Its result; null until it is sent. */
  answer: Promise<pg.QueryResult<Row>> | null = null;

  constructor(statement: pg.QueryConfig) {
    this.statement = statement;
  }
}

/**
 * A connection that sees no account's rows until it has a scope. The scope is sent to the server only when it changes. With a
 * transaction it goes in the same message, and ends with it; otherwise in a statement before. A statement may also
 * set it (`becoming`). Needs a client that pipelines.
 */
export class ScopedClient extends BoundedClient {
  /** Called whenever the server has answered, until the client is released. */
  onAnswer: (() => void) | null = null;
  /** Takes the riders that wait for the account that the connection serves. */
  takePiggybacked: (() => readonly PiggybackStatement[]) | null = null;
  #wanted = NO_SCOPE;
  /** The scope of the session on the server. */
  #held = NO_SCOPE;
  /** The open transaction has its own scope. */
  #isLocal = false;

  /** Gives all statements this scope, until `leave`. */
  setScope(scope: Scope): void {
    this.#wanted = scope === ANY_SCOPE ? this.#held : scope;
  }

  clearScope(): void {
    this.#wanted = NO_SCOPE;
    this.#isLocal = false;
    this.onAnswer = null;
    this.takePiggybacked = null;
  }

  /** The scope of the statements to come. */
  protected get scope(): Scope {
    return this.#wanted;
  }

  protected override runQuery(...args: unknown[]): unknown {
    const answer = this.ask(args);
    const { onAnswer } = this;
    if (onAnswer === null || !(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      onAnswer();
      return result;
    });
  }

  /** Sends a statement as it is. */
  protected send(...args: unknown[]): unknown {
    return super.runQuery(...args);
  }

  /** Sends a statement in its scope. */
  protected ask(args: unknown[]): unknown {
    const statements = this.#canPiggyback(args) ? this.takePiggybacked?.() : undefined;
    if (statements !== undefined && statements.length > 0) return this.#sendPiggybacked(statements, args);
    if (this.#isLocal || this.#wanted === this.#held) return this.recordScope(super.runQuery(...args));
    const [text] = args;
    if (text === 'begin') {
      this.#isLocal = true;
      return super.runQuery(`begin; set local ${SETTING} = '${this.#wanted}'`);
    }
    if (typeof args.at(-1) === 'function')
      throw new Error('Use promises, not callbacks: the scope is set first.');
    return this.#setScopeFirst(args);
  }

  /**
   * A rider never joins a transaction, which may see an older state, nor a connection whose scope another statement changes.
   */
  #canPiggyback(args: unknown[]): boolean {
    return args[0] !== 'begin' && typeof args.at(-1) !== 'function' && this.getTransactionStatus() === 'I';
  }

  async #sendPiggybacked(statements: readonly PiggybackStatement[], args: unknown[]): Promise<unknown> {
    const wanted = this.#wanted;
    this.#held = UNKNOWN;
    const { results, answer } = this.#inOneWrite(() => ({
      results: statements.map((piggybacked) => {
        const result = super.runQuery(preparedQuery(piggybacked.statement)) as Promise<pg.QueryResult>;
        result.catch(() => {});
        piggybacked.answer = result;
        return result;
      }),
      answer: super.runQuery(...args),
    }));
    if (answer instanceof Promise) answer.catch(() => {});
    await Promise.all(results);
    this.#held = wanted;
    return this.recordScope(answer);
  }

  /** Both are sent together, so that it costs no round trip; the result counts only if the first succeeded. */
  async #setScopeFirst(args: unknown[]): Promise<unknown> {
    const wanted = this.#wanted;
    this.#held = UNKNOWN;
    const { scopeSet, answer } = this.#inOneWrite(() => ({
      scopeSet: super.runQuery(`set ${SETTING} = '${wanted}'`),
      answer: super.runQuery(...args),
    }));
    if (answer instanceof Promise) answer.catch(() => {});
    await scopeSet;
    this.#held = wanted;
    return this.recordScope(answer);
  }

  /** Each write wakes the server, which answers the first statement before it has the next. */
  #inOneWrite<Sent>(send: () => Sent): Sent {
    const { stream } = this.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  /**
   * Records the connection's scope, if the statement has changed it.
   *
   * @throws Error within a transaction, whose later statements would be those of another account
   */
  protected recordScope(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: pg.QueryResult) => {
      const scope: unknown = result.rows?.[0]?.[SETTING];
      if (scope === undefined) return result;
      if (this.getTransactionStatus() !== 'I') {
        this.#held = UNKNOWN;
        throw new Error('The scope of a connection changes only outside transactions.');
      }
      this.#held = typeof scope === 'string' ? scope : UNKNOWN;
      return result;
    });
  }
}

/** The pool in one account's scope, or the service's. */
export function scopedPool(pool: pg.Pool, scope: Scope) {
  if (scope !== ANY_SCOPE && !SCOPE.test(scope)) throw new Error('A scope is the id of an account.');
  return {
    options: pool.options,
    async connect(): Promise<pg.PoolClient> {
      const client = await pool.connect();
      if (client instanceof ScopedClient) client.setScope(scope);
      return client;
    },
    end: async () => {},
  };
}

/** Clears the scope at release: the next user of a connection begins without one. */
export function clearScopeAtRelease(pool: pg.Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof ScopedClient) client.clearScope();
  });
}
