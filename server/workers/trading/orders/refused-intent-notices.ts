import type { AccountEvent } from '../../../../engine/platform/events/events.ts';
import type { IntentRefusal } from './intent-requests.ts';

/** How often a refused node is reported in Activity, at most. */
const NOTICE_PERIOD_MS = 60_000;

const nodeOf = ({ deploymentId, nodeId }: IntentRefusal): string => `${deploymentId} ${nodeId}`;

/** Events to accounts about intents that ended without an order. */
export class RefusedIntentNotices {
  readonly #publishedMs = new Map<string, number>();

  /** Returns the event for the account; null if the node was reported a moment ago. */
  of(refusal: IntentRefusal): AccountEvent | null {
    const lastMs = this.#publishedMs.get(nodeOf(refusal)) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - lastMs < NOTICE_PERIOD_MS) return null;
    const { blueprintId, deploymentId, nodeId, message, at } = refusal;
    const text = `No order was made: ${message}`;
    const payload = { kind: 'refused', blueprintId, deploymentId, nodeId, at: at.toISOString(), text };
    return { type: 'notification', payload };
  }

  /** Call once the event is committed. */
  markPublished(refusal: IntentRefusal): void {
    const nowMs = performance.now();
    for (const [node, sinceMs] of this.#publishedMs) {
      if (nowMs - sinceMs >= NOTICE_PERIOD_MS) this.#publishedMs.delete(node);
    }
    if (!this.#publishedMs.has(nodeOf(refusal))) this.#publishedMs.set(nodeOf(refusal), nowMs);
  }
}
