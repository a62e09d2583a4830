/** Kinds of scheduled events. Those of one instant are processed in this order. */
export const EVENT_KINDS = ['arrive', 'cancel', 'approve', 'expire', 'propose'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** `id`: of the order, or of the deferred intent. */
export type ScheduledEvent = { readonly atMs: number; readonly kind: EventKind; readonly id: string };

/** Queue of scheduled events, by instant, kind, and order of scheduling. */
export class EventQueue {
  readonly #dues: ScheduledEvent[] = [];

  get nextMs(): number {
    return this.#dues[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(due: ScheduledEvent): void {
    const index = this.#dues.findLastIndex((each) => !isBefore(due, each)) + 1;
    this.#dues.splice(index, 0, due);
  }

  /** Takes the next event that is due by an instant. */
  take(atMs: number): ScheduledEvent | undefined {
    return this.nextMs <= atMs ? this.#dues.shift() : undefined;
  }
}

const isBefore = (a: ScheduledEvent, b: ScheduledEvent): boolean =>
  a.atMs !== b.atMs ? a.atMs < b.atMs : EVENT_KINDS.indexOf(a.kind) < EVENT_KINDS.indexOf(b.kind);
