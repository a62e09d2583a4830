/** What a look at a venue account is about. `books`: holdings and money. */
export const PARTS = ['orders', 'fills', 'books'] as const;
export type Part = (typeof PARTS)[number];

/** When each part was last done; null: never. */
export type Done = Readonly<Record<Part, Date | null>>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** How often each part is done while a user stream tells of changes, and while none does. */
const PERIODS: Readonly<Record<Part, { streaming: number; polling: number }>> = {
  orders: { streaming: 30 * SECOND_MS, polling: 5 * SECOND_MS },
  fills: { streaming: MINUTE_MS, polling: 5 * SECOND_MS },
  books: { streaming: 5 * MINUTE_MS, polling: 5 * MINUTE_MS },
};

/** The parts whose time has come. After a burst of fills holdings and money are looked at sooner: `hasNewFills`. Pure. */
export function dueParts(
  done: Done,
  now: Date,
  { isStreaming, hasNewFills = false }: { readonly isStreaming: boolean; readonly hasNewFills?: boolean },
): Part[] {
  return PARTS.filter((part) => {
    const last = done[part];
    if (last === null) return true;
    const { streaming, polling } = PERIODS[part];
    const periodMs = part === 'books' && hasNewFills ? MINUTE_MS : isStreaming ? streaming : polling;
    return now.getTime() - last.getTime() >= periodMs;
  });
}
