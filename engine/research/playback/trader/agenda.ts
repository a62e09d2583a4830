/** Kinds of scheduled events. Those of one instant are processed in this order. */
export const DUE_KINDS = ['arrive', 'cancel', 'approve', 'expire', 'propose'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/** `id`: of the order, or of the deferred intent. */
export type Due = { readonly atMs: number; readonly kind: DueKind; readonly id: string };

/** Queue of scheduled events, by instant, kind, and order of scheduling. */
export class Agenda {
  readonly #dues: Due[] = [];

  get nextMs(): number {
    return this.#dues[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(due: Due): void {
    const place = this.#dues.findLastIndex((each) => !isBefore(due, each)) + 1;
    this.#dues.splice(place, 0, due);
  }

  /** Takes the next event that is due by an instant. */
  take(atMs: number): Due | undefined {
    return this.nextMs <= atMs ? this.#dues.shift() : undefined;
  }
}

const isBefore = (a: Due, b: Due): boolean =>
  a.atMs !== b.atMs ? a.atMs < b.atMs : DUE_KINDS.indexOf(a.kind) < DUE_KINDS.indexOf(b.kind);
