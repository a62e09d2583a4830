/** Parts of a reconciliation. `books`: holdings and cash. */
export const RECONCILIATION_PARTS = ['orders', 'fills', 'books'] as const;
export type ReconciliationPart = (typeof RECONCILIATION_PARTS)[number];

/** When each part was last done; null: never. */
export type PartsDone = Readonly<Record<ReconciliationPart, Date | null>>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Period of each part with a working user stream, and without one. */
const PERIODS: Readonly<Record<ReconciliationPart, { streaming: number; polling: number }>> = {
  orders: { streaming: 30 * SECOND_MS, polling: 5 * SECOND_MS },
  fills: { streaming: MINUTE_MS, polling: 5 * SECOND_MS },
  books: { streaming: 10 * SECOND_MS, polling: 10 * SECOND_MS },
};

/** Longest period of `books`, for any number of connections that share an IP address. */
const BOOKS_AT_WORST_MS = MINUTE_MS;

/** Returns the due parts. `booksEveryMs`: shortest period of `books` within the venue's rate limit. Pure. */
export function dueParts(
  done: PartsDone,
  now: Date,
  { isStreaming, booksEveryMs = 0 }: { readonly isStreaming: boolean; readonly booksEveryMs?: number },
): ReconciliationPart[] {
  return RECONCILIATION_PARTS.filter((part) => {
    const last = done[part];
    if (last === null) return true;
    const { streaming, polling } = PERIODS[part];
    const ownMs = isStreaming ? streaming : polling;
    const periodMs = part === 'books' ? Math.max(ownMs, Math.min(booksEveryMs, BOOKS_AT_WORST_MS)) : ownMs;
    return now.getTime() - last.getTime() >= periodMs;
  });
}
