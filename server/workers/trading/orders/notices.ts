import type { AccountEvent } from '../../../../engine/platform/events/events.ts';
import type { Refusal } from './requests.ts';

/** A refused node says so in Activity once a minute at most. */
const NOTICE_PERIOD_MS = 60_000;

const nodeOf = ({ deploymentId, nodeId }: Refusal): string => `${deploymentId} ${nodeId}`;

/** What accounts are told of intents that ended without an order. */
export class Notices {
  readonly #toldMs = new Map<string, number>();

  /** What the account is told; null where that was told of the node a moment ago. */
  of(refusal: Refusal): AccountEvent | null {
    const lastMs = this.#toldMs.get(nodeOf(refusal)) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - lastMs < NOTICE_PERIOD_MS) return null;
    const { blueprintId, deploymentId, nodeId, message, at } = refusal;
    const text = `No order was made: ${message}`;
    const payload = { kind: 'refused', blueprintId, deploymentId, nodeId, at: at.toISOString(), text };
    return { type: 'notification', payload };
  }

  /** It is committed. */
  told(refusal: Refusal): void {
    const nowMs = performance.now();
    for (const [node, sinceMs] of this.#toldMs) {
      if (nowMs - sinceMs >= NOTICE_PERIOD_MS) this.#toldMs.delete(node);
    }
    if (!this.#toldMs.has(nodeOf(refusal))) this.#toldMs.set(nodeOf(refusal), nowMs);
  }
}
