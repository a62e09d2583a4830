import { LIST_MAX } from '../../strategy/graph/compile/parameters.ts';
import type { SeriesRule } from '../../strategy/graph/series-lists.ts';
import type { InstrumentFact } from '../../trading/orders/terms/facts-by-time.ts';

/** A span of time with both its ends, epoch ms; of an instant they are equal. */
export type Span = { readonly firstMs: number; readonly lastMs: number };

export type MembersResult =
  | { readonly ok: true; readonly tokenIds: string[] }
  | { readonly ok: false; readonly code: 'series_empty' | 'series_too_large'; readonly message: string };

/**
 * Returns the instruments of a series that were listed at any time of a span: opened, and neither closed, settled nor delisted,
 * as `listed` of `market.info` says it. They are in the order of their opening, then of their ids, so that later ones come
 * last. Facts of after the span change nothing. Pure.
 *
 * @param facts of all instruments of the series, by time: see `instrumentFactsByTime`
 */
export function membersOf(
  facts: readonly InstrumentFact[],
  { series, venue, outcome }: SeriesRule,
  { firstMs, lastMs }: Span,
): MembersResult {
  const side = outcome.toLowerCase();
  const own = facts.filter(
    ({ fromMs, instrument }) =>
      fromMs <= lastMs &&
      instrument.venue === venue &&
      instrument.series === series &&
      instrument.outcome?.toLowerCase() === side,
  );
  const listed = [...Map.groupBy(own, ({ instrument }) => instrument.token_id)].flatMap(
    ([tokenId, ofToken]) => {
      const inTime = ofToken.toSorted((a, b) => a.fromMs - b.fromMs);
      const isMember = inTime.some(
        (fact, index) =>
          !hasEnded(fact) &&
          Math.max(fact.fromMs, opensMs(fact)) <= lastMs &&
          (inTime[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) > Math.max(firstMs, opensMs(fact)),
      );
      return isMember ? [{ tokenId, opensAt: Math.min(...inTime.map(opensMs)) }] : [];
    },
  );
  const tokenIds = listed
    .toSorted((a, b) => a.opensAt - b.opensAt || (a.tokenId < b.tokenId ? -1 : 1))
    .map(({ tokenId }) => tokenId);
  const name = `“${series}” of ${venue}`;
  if (tokenIds.length === 0) {
    const message = `No market of the series ${name} with the outcome “${outcome}” was open then. Check the spelling of both, or try again when a market opens.`;
    return { ok: false, code: 'series_empty', message };
  }
  if (tokenIds.length <= LIST_MAX) return { ok: true, tokenIds };
  const message = `The series ${name} had ${tokenIds.length} open markets; a list takes ${LIST_MAX}. Choose a shorter range or a smaller series, or type the list.`;
  return { ok: false, code: 'series_too_large', message };
}

const hasEnded = ({ instrument: { status, delisted_at } }: InstrumentFact): boolean =>
  status === 'closed' || status === 'settled' || delisted_at !== null;

/** A market without an opening time counts as open for ever: a backtest fails before, as its listing is unknown. */
const opensMs = ({ instrument }: InstrumentFact): number =>
  instrument.opens_at === null ? Number.NEGATIVE_INFINITY : Date.parse(instrument.opens_at);
