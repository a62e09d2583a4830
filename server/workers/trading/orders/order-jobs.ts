import type { BooksKey, Work } from '../../../../engine/platform/context.ts';
import { isFinal } from '../../../../engine/platform/order-states.ts';
import type { AppliedReport } from '../../../../engine/trading/orders/execution/apply-report.ts';
import type { Brokers } from '../../../../engine/trading/orders/execution/brokers.ts';
import { cancelFeeRaised } from '../../../../engine/trading/orders/execution/fee-raised.ts';
import {
  pollAgainWithinMs,
  pollGivenUpOrder,
  reconcileOrder,
  syncOrder,
} from '../../../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../../../engine/trading/orders/execution/send.ts';
import { consecutiveRejections } from '../../../../engine/trading/orders/lifecycle/consecutive-rejections.ts';
import { expireOrder } from '../../../../engine/trading/orders/lifecycle/end-order.ts';
import type { TradingSettings } from '../../../../engine/trading/orders/settings.ts';
import type { RunnerLog } from '../../../kernel/rounds/options.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { OrderTaskQueue } from './order-task-queue.ts';

/** A venue refused three orders of a deployment in a row for the same reason. */
export type ConsecutiveRejections = BooksKey & { deploymentId: string; reason: string };

export type OrderJobQueuesOptions = {
  brokers: Brokers;
  trading?: TradingSettings | undefined;
  /** `isUrgent`: for a cancel, which waits behind no other work. */
  workOf: (books: BooksKey, isUrgent: boolean) => Work;
  log: RunnerLog;
  onRefusedInARow?: (refused: ConsecutiveRejections) => Promise<void>;
  /** The clock of pauses between two polls of an order. */
  uptimeMs?: (() => number) | undefined;
};

/** Orders of one kind of work in progress at once: for each connection, and for all of paper trading. */
const CONCURRENCY = 8;

type Task = (work: Work, id: string) => Promise<AppliedReport | null>;
type JobOptions = {
  again?: boolean;
  isUrgent?: boolean;
  /** Whether this work on the order is finished; until then it is polled less and less often. */
  isDone?: (applied: AppliedReport | null) => boolean;
  /** The longest pause before the next poll of the order, however often it was polled. */
  againWithinMs?: (work: Work, id: string) => Promise<number | null>;
};

/** All kinds of work on orders, each in its own queue, so that none waits for another. */
export class OrderJobQueues {
  readonly sending: OrderTaskQueue;
  readonly canceling: OrderTaskQueue;
  readonly reconciling: OrderTaskQueue;
  readonly syncing: OrderTaskQueue;
  readonly expiring: OrderTaskQueue;
  readonly withdrawing: OrderTaskQueue;
  /** Orders given up that may still appear at their venue. */
  readonly watching: OrderTaskQueue;
  readonly #options: OrderJobQueuesOptions;

  constructor(options: OrderJobQueuesOptions) {
    this.#options = options;
    const { brokers, trading } = options;
    this.sending = this.#queueFor('send', (work, id) => sendOrder(work, brokers, id, trading));
    this.canceling = this.#queueFor('cancel', (work, id) => cancelAtVenue(work, brokers, id), {
      isUrgent: true,
      isDone: (applied) => applied !== null && isFinal(applied.order.status),
    });
    this.reconciling = this.#queueFor('reconcile', (work, id) => reconcileOrder(work, brokers, id), {
      isDone: (applied) => applied !== null,
      againWithinMs: (work, id) => pollAgainWithinMs(work, brokers, id),
    });
    this.syncing = this.#queueFor('sync', (work, id) => syncOrder(work, brokers, id), { again: true });
    this.expiring = this.#queueFor('expire', (work, id) => expireOrder(work, id).then(() => null));
    this.withdrawing = this.#queueFor('withdraw', (work, id) => cancelFeeRaised(work, id).then(() => null));
    this.watching = this.#queueFor('watch', async (work, id) => {
      const applied = await pollGivenUpOrder(work, brokers, id);
      if (applied !== null) this.#reportReturn(work, applied);
      return applied;
    });
  }

  /** The connections whose orders this process works on; null: all. */
  get via(): readonly string[] | null {
    return this.#options.brokers.held?.ids() ?? null;
  }

  /** Starts nothing more, and resolves once nothing is in progress. */
  async stop(): Promise<void> {
    const { sending, canceling, reconciling, syncing, expiring, withdrawing, watching } = this;
    const queues = [sending, canceling, reconciling, syncing, expiring, withdrawing, watching];
    await Promise.all(queues.map((queue) => queue.stop()));
  }

  #queueFor(name: string, task: Task, terms: JobOptions = {}): OrderTaskQueue {
    const { again = false, isUrgent = false, isDone = () => true, againWithinMs } = terms;
    const { log, uptimeMs } = this.#options;
    const workOf = (books: BooksKey) => this.#options.workOf(books, isUrgent);
    return new OrderTaskQueue({
      again,
      concurrency: CONCURRENCY,
      uptimeMs,
      task: ({ id, accountId, mode }) =>
        withDeadline(log, `${name} of order ${id}`, async () => {
          const work = workOf({ accountId, mode });
          const applied = await task(work, id);
          if (applied !== null) await this.#report(work, applied);
          return isDone(applied);
        }),
      againWithinMs:
        againWithinMs && (({ id, accountId, mode }) => againWithinMs(workOf({ accountId, mode }), id)),
      onError: (error, key) => log.warn({ ...key, err: error, work: name }, 'work on an order failed'),
    });
  }

  #reportReturn({ accountId }: Work, { order }: AppliedReport): void {
    this.#options.log.error(
      { accountId, orderId: order.id, code: 'given_up_and_back' },
      'a venue shows an order that it had reported missing',
    );
  }

  async #report(work: Work, { order, isLate, hasReversal }: AppliedReport): Promise<void> {
    const { accountId, mode } = work;
    if (hasReversal) {
      this.#options.log.error(
        { accountId, orderId: order.id, code: 'fill_reversed' },
        'a venue revoked a trade',
      );
    }
    if (isLate) {
      this.#options.log.error(
        { accountId, orderId: order.id, status: order.status },
        'a fill came after its order ended',
      );
    }
    const refused = await consecutiveRejections(work, order);
    if (refused !== null) await this.#options.onRefusedInARow?.({ accountId, mode, ...refused });
  }
}
