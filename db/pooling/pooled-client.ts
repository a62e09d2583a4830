import type pg from 'pg';
import { type PiggybackStatement, ScopedClient, SETTING } from '../scope.ts';

/** Ends the transaction of one statement. A scope that the statement itself set for its session ends too. */
const COMMIT = `commit; reset ${SETTING}`;

/**
 * A connection through a pooler in transaction mode: each transaction may meet another session of the server. A statement
 * outside a transaction therefore gets a transaction of its own, in one flight: settings and scope, statement, commit. Nothing
 * relies on a session: statements have no names, settings end with their transaction. Needs a client that pipelines.
 */
export class PooledClient extends ScopedClient {
  /** The pooler's session is another for each transaction. */
  protected override async applySession(): Promise<void> {}

  protected override ask(args: unknown[]): unknown {
    const [text] = args;
    if (this.getTransactionStatus() !== 'I') return this.recordScope(this.send(...unnamed(args)));
    if (typeof text === 'string' && /^(?:begin|start transaction)\b/.test(text))
      return this.send(`${text}; ${this.#settings()}`);
    const callback = args.at(-1);
    if (typeof callback !== 'function') return this.#sendInTransaction(args);
    return void this.#sendInTransaction(args.slice(0, -1)).then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
  }

  /** @throws the first failure; the connection is outside of any transaction by then */
  async #sendInTransaction(args: unknown[]): Promise<unknown> {
    const begun = this.send(`begin; ${this.#settings()}`);
    const riders = (this.takePiggybacked?.() ?? []).map((rider) => this.#sendRider(rider));
    const answer = this.send(...unnamed(args));
    const all = await Promise.allSettled([begun, ...riders, answer, this.send(COMMIT)]);
    const failure = all.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return answer;
  }

  #sendRider(rider: PiggybackStatement): Promise<pg.QueryResult> {
    const answer = this.send(...unnamed([rider.statement])) as Promise<pg.QueryResult>;
    rider.answer = answer;
    return answer;
  }

  #settings(): string {
    const settings = Object.entries({ ...this.session, [SETTING]: this.scope });
    return settings.map(([name, value]) => `set local ${name} = '${value}'`).join('; ');
  }
}

/** The pooler's next session does not know a statement by its name. */
function unnamed([statement, ...rest]: unknown[]): unknown[] {
  if (typeof statement !== 'object' || statement === null || !('name' in statement))
    return [statement, ...rest];
  const { name: _name, ...anonymous } = statement;
  return [anonymous, ...rest];
}
