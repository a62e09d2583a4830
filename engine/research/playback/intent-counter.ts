import type { OrderRow } from '../../trading/orders/row.ts';
import type { OrderCounts } from './result.ts';

/** Reasons for which the matcher ends an order that may not rest. */
const NOT_FILLED = new Set(['no_more_offers', 'not_whole_at_once']);

/** Counts the outcomes of a run's intents. */
export class IntentCounter {
  intents = 0;
  approvals = 0;
  #orders = 0;
  readonly #ends = { filled: 0, partial: 0, unfilled: 0, canceled: 0, expired: 0 };
  readonly #denied = new Map<string, number>();

  /** Counts a refusal without an order, or by a rule. */
  denied(reason: string): void {
    this.#denied.set(reason, (this.#denied.get(reason) ?? 0) + 1);
  }

  ended({ status, reason_code, filled_amount }: OrderRow): void {
    if (status === 'denied') {
      this.denied(reason_code ?? 'denied');
      return;
    }
    this.#orders++;
    if (status === 'filled') this.#ends.filled++;
    else if (Number(filled_amount) > 0) this.#ends.partial++;
    else if (status === 'expired') this.#ends.expired++;
    else if (status === 'rejected' || NOT_FILLED.has(reason_code ?? '')) this.#ends.unfilled++;
    else this.#ends.canceled++;
  }

  counts(): OrderCounts {
    const denied = Object.fromEntries([...this.#denied].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { intents: this.intents, orders: this.#orders, ...this.#ends, denied, approvals: this.approvals };
  }
}
