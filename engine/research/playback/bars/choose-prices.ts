import type { History, SeriesKind, SeriesRows } from '../../../history/series.ts';
import { exact } from '../../../platform/decimal.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import { rawFee, roundFee } from '../../../trading/orders/terms/fees.ts';
import type { BacktestInput } from '../input.ts';
import type { BacktestRequest } from '../request.ts';
import type { Fidelity } from '../result.ts';
import { BarPrices, type Walk } from './bar-prices.ts';
import { fillHolesWithCoarser } from './fill-holes-with-coarser.ts';
import { BidAskPrices, MidpointPrices, RecordedPrices } from './quoted-prices.ts';
import { type HalfSpread, type InstrumentPrices, Spread } from './top-of-book.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Default half spread of a coin, as a share of its price, if no spread was recorded. */
const COIN_SHARE = 0.00005;
/** USD, default half spread of a contract. */
const CONTRACT_HALF = 0.01;

/** Source of the prices of one instrument, and its quality. */
export type PriceChoice = {
  readonly tokenId: string;
  readonly kind: 'recorded' | SeriesKind;
  readonly fidelity: Fidelity;
  readonly history: History | null;
  readonly halfSpread: HalfSpread | null;
  /** Candles from which paths are generated, if those of the input were changed. */
  readonly pathSource: SeriesRows<'candle'> | null;
};

/**
 * Chooses the best price source of an instrument; null if there is none. Recorded quotes are chosen if there are any, whatever
 * their number. A run cut off before the first quote thus has the same source as the whole one. Pure.
 */
export function choosePrices(
  tokenId: string,
  instrument: InstrumentRow,
  input: BacktestInput,
  /** Length of the shortest candles that the graph itself reads of it; 0 without any. */
  ownMs: number,
  pathHistories: readonly History[] | null,
): PriceChoice | null {
  const { source, detail } = input.request.data;
  const recorded = input.recorded.find((each) => each.tokenId === tokenId);
  if (source !== 'bars' && recorded !== undefined) {
    return { tokenId, kind: 'recorded', fidelity: 'A', history: null, halfSpread: null, pathSource: null };
  }
  const own = input.histories.filter(({ key }) => key.tokenId === tokenId);
  const bidAsk = finest(own.filter(({ key }) => key.kind === 'bid_ask'));
  if (bidAsk !== null) {
    return { tokenId, kind: 'bid_ask', fidelity: 'B', history: bidAsk, halfSpread: null, pathSource: null };
  }
  const halfSpread = halfSpreadOf(instrument, input.request.fills.halfSpread);
  const leastMs = detail === '1m' ? MINUTE_MS : detail === 'none' ? ownMs : 0;
  const candlesIn = (histories: readonly History[]) =>
    fillHolesWithCoarser(
      histories.filter(
        ({ key }) => key.tokenId === tokenId && key.kind === 'candle' && key.resolutionMs >= leastMs,
      ),
      Date.parse(input.request.from),
    );
  const candles = candlesIn(own);
  if (candles !== null) {
    const { history, coarsestMs } = candles;
    const changed = pathHistories === null ? null : candlesIn(pathHistories);
    return {
      tokenId,
      kind: 'candle',
      fidelity: coarsestMs <= SECOND_MS ? 'B' : 'C',
      history,
      halfSpread,
      pathSource: changed === null ? null : rowsAs(changed.history, 'candle'),
    };
  }
  const midpoint = finest(own.filter(({ key }) => key.kind === 'midpoint'));
  return midpoint === null
    ? null
    : { tokenId, kind: 'midpoint', fidelity: 'D', history: midpoint, halfSpread, pathSource: null };
}

const finest = (histories: readonly History[]): History | null =>
  histories.reduce(
    (best: History | null, one) =>
      best === null || one.key.resolutionMs < best.key.resolutionMs ? one : best,
    null,
  );

/**
 * Returns the requested half spread, or the default: the largest of one tick, half a basis point of a coin and a cent of a
 * contract.
 */
function halfSpreadOf({ kind, tick_size }: InstrumentRow, halfSpread: string): HalfSpread {
  if (halfSpread !== 'auto') return { fixed: Number(halfSpread), share: 0 };
  const tick = Number(tick_size);
  return kind === 'spot'
    ? { fixed: tick, share: COIN_SHARE }
    : { fixed: Math.max(tick, CONTRACT_HALF), share: 0 };
}

export type PriceOptions = {
  readonly fills: BacktestRequest['fills'];
  /** Null if nothing inside bars matters. */
  readonly order: Walk['order'] | null;
  readonly isWatched: () => boolean;
};

/** Narrows rows to the kind of their key. */
export const rowsAs = <Kind extends SeriesKind>({ rows }: History, _kind: Kind): SeriesRows<Kind> =>
  rows as unknown as SeriesRows<Kind>;

/** Creates the prices of a choice, at the beginning of their tape. */
export function openPrices(
  { tokenId, kind, history, halfSpread, pathSource }: PriceChoice,
  instrument: InstrumentRow,
  input: BacktestInput,
  { fills, order, isWatched }: PriceOptions,
): InstrumentPrices | null {
  const share = fills.liquidity === 'unlimited' ? Number.POSITIVE_INFINITY : Number(fills.share);
  if (kind === 'recorded') {
    const found = input.recorded.find((each) => each.tokenId === tokenId);
    return new RecordedPrices(found?.quotes ?? []);
  }
  if (history === null) return null;
  const tick = Number(instrument.tick_size);
  const spread = new Spread(halfSpread ?? { fixed: 0, share: 0 }, tick, instrument.kind === 'outcome');
  switch (kind) {
    case 'bid_ask':
      return new BidAskPrices(rowsAs(history, kind), { share });
    case 'midpoint':
      return new MidpointPrices(rowsAs(history, kind), spread);
    case 'candle':
      return new BarPrices(rowsAs(history, kind), {
        spread,
        tick,
        share,
        walk: {
          order: order ?? 'likely',
          isReported: order !== null,
          seed: `${input.request.seed} ${tokenId}`,
          fromMs: Date.parse(input.request.from),
          pathSource,
        },
        isWatched,
      });
  }
}

/** Returns the minutes that resting orders in a recorded coin also meet; null if there are none. */
export function openMinutePrices(tokenId: string, { histories }: BacktestInput): BarPrices | null {
  const minutes = histories.find(
    ({ key }) => key.kind === 'candle' && key.tokenId === tokenId && key.resolutionMs === MINUTE_MS,
  );
  return minutes === undefined ? null : new BarPrices(rowsAs(minutes, 'candle'), AS_THEY_ARE);
}

/** Only closed minutes are read. */
const AS_THEY_ARE = {
  spread: new Spread({ fixed: 0, share: 0 }, 1, false),
  tick: 1,
  share: Number.POSITIVE_INFINITY,
  walk: null,
  isWatched: () => false,
};

/** Returns the proceeds of selling all at the market, after fees, USD. Zero without a bid. */
export function saleProceedsOf(
  instrument: InstrumentRow,
  amount: string,
  bid: number | null,
  hasFees: boolean,
): string {
  if (bid === null) return '0';
  const worth = exact(amount).times(bid);
  if (!hasFees) return worth.toFixed();
  return worth.minus(takerFee(instrument, amount, bid)).toFixed();
}

function takerFee(instrument: InstrumentRow, amount: string, bid: number) {
  const schedule = knownSchedule(instrument);
  return roundFee(schedule, rawFee(schedule, 'taker', exact(bid), exact(amount)));
}
