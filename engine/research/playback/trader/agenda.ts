/** What is due at some instant by itself. Of one instant it is done in this order. */
export const DUE_KINDS = ['arrive', 'cancel', 'approve', 'expire', 'propose'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/** `id`: of the order, or of what was put aside. */
export type Due = { readonly atMs: number; readonly kind: DueKind; readonly id: string };

/** What is to come, by instant, kind, and the order in which it was put down. */
export class Agenda {
  readonly #dues: Due[] = [];

  get nextMs(): number {
    return this.#dues[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(due: Due): void {
    const place = this.#dues.findLastIndex((each) => !isBefore(due, each)) + 1;
    this.#dues.splice(place, 0, due);
  }

  /** The next thing that is due at an instant or before it. */
  take(atMs: number): Due | undefined {
    return this.nextMs <= atMs ? this.#dues.shift() : undefined;
  }
}

const isBefore = (a: Due, b: Due): boolean =>
  a.atMs !== b.atMs ? a.atMs < b.atMs : DUE_KINDS.indexOf(a.kind) < DUE_KINDS.indexOf(b.kind);
