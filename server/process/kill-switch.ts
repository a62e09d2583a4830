import { databaseClock, openWork, type Work } from '../../engine/platform/context.ts';
import type { CancelAllResult } from '../../engine/trading/connections/cancel-until-none-open.ts';
import { killConnection, recordCancelAllResult } from '../../engine/trading/connections/kill-switch.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { type CancelConnectionOptions, cancelConnectionOrders } from './admin-broker.ts';

/** The result for one connection. */
export type Killed = {
  readonly row: ConnectionRow;
  /** Why the halt could not be stored; null on success. */
  readonly haltError: string | null;
  readonly emptied: CancelAllResult;
  /** Why the result could not be stored; null on success. */
  readonly noteError: string | null;
};

/**
 * Halts connections and cancels the orders at their venues, each independently: a failure at one does not affect the others.
 */
export class KillSwitch {
  readonly #options: CancelConnectionOptions;

  constructor(options: CancelConnectionOptions) {
    this.#options = options;
  }

  /** Halts all connections first, and then cancels at the venues. Calls `onKilled` for each as soon as it is done. */
  async kill(rows: readonly ConnectionRow[], onKilled: (killed: Killed) => void): Promise<Killed[]> {
    const halted = await Promise.all(rows.map((row) => this.#halt(row)));
    return Promise.all(
      halted.map(async ({ row, haltError }) => {
        const emptied = await cancelConnectionOrders(this.#options, row);
        const killed = { row, haltError, emptied, noteError: await this.#note(row, emptied) };
        onKilled(killed);
        return killed;
      }),
    );
  }

  /** Returns a sentence about the number of resting orders of a connection at its venue; changes nothing. */
  async describeOrders(row: ConnectionRow): Promise<string> {
    try {
      const { length } = await (await this.#options.adminBroker(row)).listOpen();
      return length === 1 ? '1 order rests at the venue' : `${length} orders rest at the venue`;
    } catch (error) {
      return `its venue was not reached (${reasonOf(error)})`;
    }
  }

  async #halt(row: ConnectionRow): Promise<Pick<Killed, 'row' | 'haltError'>> {
    try {
      return { row: await killConnection(this.#workOf(row), row.id), haltError: null };
    } catch (error) {
      return { row, haltError: reasonOf(error) };
    }
  }

  async #note(row: ConnectionRow, emptied: CancelAllResult): Promise<string | null> {
    try {
      await recordCancelAllResult(this.#workOf(row), row, emptied);
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  #workOf({ account_id: accountId }: ConnectionRow): Work {
    const { pool } = this.#options;
    return openWork(pool, {
      accountId,
      mode: 'live',
      actor: 'operator',
      requestId: null,
      clock: databaseClock,
    });
  }
}
