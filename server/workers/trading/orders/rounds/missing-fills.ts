import type { Db } from '../../../../../db/tables.ts';
import { findFillsMissing } from '../../../../../engine/trading/orders/execution/queue.ts';
import type { RunnerLog } from '../../../../kernel/rounds/options.ts';
import type { OrderJobQueues } from '../order-jobs.ts';
import { ORDERS_PER_ROUND_MAX } from './orders-per-round-max.ts';

/** After this time without fills whose sum the venue has reported, an operator is alerted. */
const ALARM_AFTER_MS = 60_000;

/** Requests missing fills again; never invents any. Alerts have the code `fills_missing`, once per order. */
export class MissingFills {
  readonly #db: Db;
  readonly #lanes: OrderJobQueues;
  readonly #log: RunnerLog;
  #alarmed: ReadonlySet<string> = new Set();

  constructor(db: Db, lanes: OrderJobQueues, log: RunnerLog) {
    this.#db = db;
    this.#lanes = lanes;
    this.#log = log;
  }

  async requestAgain(now: Date): Promise<void> {
    const missing = await findFillsMissing(this.#db, ORDERS_PER_ROUND_MAX, this.#lanes.via);
    this.#lanes.syncing.take(missing);
    const late = missing.filter(({ since }) => now.getTime() - since.getTime() >= ALARM_AFTER_MS);
    for (const { since, ...key } of late) {
      if (this.#alarmed.has(key.id)) continue;
      this.#log.error(
        { ...key, code: 'fills_missing', since },
        'a venue says that an order is filled and shows no fills',
      );
    }
    this.#alarmed = new Set(late.map(({ id }) => id));
  }
}
