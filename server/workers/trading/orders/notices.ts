import type { AccountEvent } from '../../../../engine/platform/events/events.ts';
import type { Refusal } from './requests.ts';

/** How often a refused node is reported in Activity, at most. */
const NOTICE_PERIOD_MS = 60_000;

const nodeOf = ({ deploymentId, nodeId }: Refusal): string => `${deploymentId} ${nodeId}`;

/** Events to accounts about intents that ended without an order. */
export class Notices {
  readonly #toldMs = new Map<string, number>();

  /** Returns the event for the account; null if the node was reported a moment ago. */
  of(refusal: Refusal): AccountEvent | null {
    const lastMs = this.#toldMs.get(nodeOf(refusal)) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - lastMs < NOTICE_PERIOD_MS) return null;
    const { blueprintId, deploymentId, nodeId, message, at } = refusal;
    const text = `No order was made: ${message}`;
    const payload = { kind: 'refused', blueprintId, deploymentId, nodeId, at: at.toISOString(), text };
    return { type: 'notification', payload };
  }

  /** Call once the event is committed. */
  told(refusal: Refusal): void {
    const nowMs = performance.now();
    for (const [node, sinceMs] of this.#toldMs) {
      if (nowMs - sinceMs >= NOTICE_PERIOD_MS) this.#toldMs.delete(node);
    }
    if (!this.#toldMs.has(nodeOf(refusal))) this.#toldMs.set(nodeOf(refusal), nowMs);
  }
}
