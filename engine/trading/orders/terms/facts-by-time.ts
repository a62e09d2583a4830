import type { InstrumentRow } from '../row.ts';

/** A fact that a venue stated about an instrument, from an instant on: later facts never reach earlier steps. */
export type InstrumentFact = { readonly fromMs: number; readonly instrument: InstrumentRow };

/** A venue that does not state when it settled is assumed to settle this long after the close. */
export const SETTLED_AFTER_MS = 3_600_000;

const msOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));

/**
 * Returns facts by time, in which no market ends early. If the first fact of an instrument already contains its end, it was
 * read afterwards. It is split into the open market, its close, and its settlement an hour later. Pure.
 */
export function instrumentFactsByTime(facts: readonly InstrumentFact[]): InstrumentFact[] {
  const byToken = Map.groupBy(facts, ({ instrument }) => instrument.token_id);
  return [...byToken.values()].flatMap((ofToken) => {
    const [first, ...later] = ofToken.toSorted((a, b) => a.fromMs - b.fromMs);
    return first === undefined ? [] : [...untold(first), ...later];
  });
}

/**
 * Returns the instruments whose listing is not known at an instant: nothing was recorded by then, and the venue states neither
 * since when, nor until when. Pure.
 */
export function withoutListing(
  tokenIds: readonly string[],
  facts: readonly InstrumentFact[],
  atMs: number,
): string[] {
  const byToken = Map.groupBy(facts, ({ instrument }) => instrument.token_id);
  return tokenIds.filter((tokenId) => {
    const first = byToken.get(tokenId)?.reduce((a, b) => (b.fromMs < a.fromMs ? b : a));
    if (first === undefined) return true;
    const { opens_at, closes_at, status } = first.instrument;
    const isStated = opens_at !== null && (closes_at !== null || status === 'open' || status === 'paused');
    return first.fromMs > atMs && !isStated;
  });
}

function untold({ instrument }: InstrumentFact): InstrumentFact[] {
  const { status, settlement_value, closes_at } = instrument;
  const closesMs = msOf(closes_at);
  const hasEnded =
    (status === 'settled' || status === 'closed' || settlement_value !== null) && closesMs !== null;
  if (!hasEnded) return [{ fromMs: Number.NEGATIVE_INFINITY, instrument }];
  const open: InstrumentRow = { ...instrument, status: 'open', settlement_value: null, delisted_at: null };
  const closed: InstrumentRow = { ...open, status: 'closed' };
  return [
    { fromMs: Number.NEGATIVE_INFINITY, instrument: open },
    { fromMs: closesMs, instrument: closed },
    ...(settlement_value === null ? [] : [{ fromMs: closesMs + SETTLED_AFTER_MS, instrument }]),
  ];
}
