import type { OrdersReadInput, OrdersReadOutput } from './generated/router.ts';
import type { CallOptions } from './procedure.ts';
import { sleep } from './sleep.ts';

export type OrderStatus = OrdersReadOutput['status'];

export type WaitForOrder = {
  id: string;
  /** The status to wait for, or several of which one is enough. */
  status: OrderStatus | readonly OrderStatus[];
  /** How long to wait, in ms; 60,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
};

/** An order did not reach the status: it has ended in another one, or the time is over. */
export class OrderNotReached extends Error {
  override readonly name = 'OrderNotReached';
  /** The order as last read; null if no read succeeded. */
  readonly order: OrdersReadOutput | null;

  constructor(message: string, order: OrdersReadOutput | null) {
    super(message);
    this.order = order;
  }
}

const WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 2_000;

/** Statuses that an order does not leave, except by a late fill. */
export const ENDED_STATUSES: ReadonlySet<OrderStatus> = new Set([
  'denied',
  'filled',
  'canceled',
  'expired',
  'declined',
  'rejected',
]);

type Read = (input: OrdersReadInput, options: CallOptions) => Promise<OrdersReadOutput>;

/**
 * Reads an order until it has the status. Pauses between reads grow to 2 s.
 *
 * @throws OrderNotReached once the order has ended in another status, or after `timeoutMs`.
 */
export async function waitForOrder(
  read: Read,
  { id, status, timeoutMs = WAIT_MS, signal }: WaitForOrder,
): Promise<OrdersReadOutput> {
  const wanted = new Set<string>([status].flat());
  const named = [...wanted].join(' or ');
  const deadline = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([deadline, ...(signal ? [signal] : [])]);
  let order: OrdersReadOutput | null = null;
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      order = await read({ id }, { signal: over });
      if (wanted.has(order.status)) return order;
      if (ENDED_STATUSES.has(order.status))
        throw new OrderNotReached(`Order ${id} ended as ${order.status}, not as ${named}.`, order);
      await sleep(pauseMs, over);
    }
  } catch (error) {
    if (!deadline.aborted || signal?.aborted || error instanceof OrderNotReached) throw error;
    const now = order === null ? 'was not read' : `is ${order.status}`;
    throw new OrderNotReached(`Order ${id} ${now} after ${timeoutMs} ms, not ${named}.`, order);
  }
}
