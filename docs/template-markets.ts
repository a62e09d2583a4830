/** The recorded markets on which templates are backtested, as a backtest reads them. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { History, SeriesRows } from '../engine/history/series.ts';
import type { InstrumentRow } from '../engine/trading/orders/row.ts';
import { recordedBars } from '../tests/support/bars.ts';
import { DAY_MS, MINUTE_MS } from '../venues/time.ts';

/** A recorded instrument. */
export type RecordedMarket = {
  readonly instrument: InstrumentRow;
  /** Distance of the recorded rows; each coarser series is made of whole groups of them. */
  readonly resolutionMs: number;
  readonly series: (resolutionMs: number) => History;
};

type Bar = readonly [open: number, high: number, low: number, close: number, volume: number];

/** The first bar of the simulator's recordings: `simulator/world/data/SOURCES.md`. */
export const COINS_FROM = '2022-08-22T00:00:00.000Z';
export const COINS_DAYS = 42;

/** A coin as its venue states it, with the venue's usual fee. */
const SPOT: InstrumentRow = {
  token_id: '',
  venue: 'crypto',
  kind: 'spot',
  market: '',
  series: null,
  outcome: null,
  contract: null,
  title: '',
  tick_size: '0.01',
  price_ranges: [],
  step_size: '0.00001',
  min_size: '0.00001',
  min_notional: '5',
  fee_schedule: { formula: 'notional', takerRate: '0.001', makerRate: '0.001', exponent: 1, roundUpTo: null },
  quote_currency: 'USDT',
  delisted_at: null,
  tradable: true,
  opens_at: null,
  closes_at: null,
  status: 'open',
  settlement_value: null,
  terms_at: COINS_FROM,
  updated_at: COINS_FROM,
};

/** A contract without a fee, as venue B had them in 2023. */
const OUTCOME: InstrumentRow = {
  ...SPOT,
  venue: 'venue-b',
  kind: 'outcome',
  outcome: 'yes',
  tick_size: '0.001',
  step_size: '0.01',
  min_size: '5',
  min_notional: '1',
  fee_schedule: { formula: 'probability', takerRate: '0', makerRate: '0', exponent: 1, roundUpTo: null },
  quote_currency: 'USDC',
  closes_at: '2024-01-01T00:00:00.000Z',
};

export const BTC = coin('BTCUSDT', COINS_FROM, 5, () => barsOf('../simulator/world/data/btcusdt-5m.csv.gz'));
export const ETH = coin('ETHUSDT', COINS_FROM, 5, () => barsOf('../simulator/world/data/ethusdt-5m.csv.gz'));

/**
 * 20,160 minutes of a BTC perpetual, whose venue is not stated, as prices of the coin. Recorded by others:
 * github.com/nautechsystems/nautilus_trader, tests/test_data/btc-perp-20211231-20220201_1m.csv at a95c8042b0 (LGPL-3.0), values
 * unchanged, volume divided by the close.
 */
export const MINUTES_FROM = '2022-01-01T00:00:00.000Z';
export const MINUTES_DAYS = 14;
export const BTC_MINUTES = named(
  'BTC perpetual',
  coin('BTCUSDT', MINUTES_FROM, 1, () => barsOf('../tests/fixtures/btcperp-1m-2022-01-01.csv.gz')),
);

/** Days of one question of venue B, and the coin on the same days. */
export const QUESTION_FROM = '2023-03-30T00:00:00.000Z';
export const QUESTION_DAYS = 270;
/** The days of it on which the coin is recorded too. */
export const QUESTION_AND_COIN_DAYS = 180;
export const QUESTION = question('PM249704', 'Do Kwon extradited');
export const BTC_BESIDE_QUESTION = coin('BTCUSDT', QUESTION_FROM, 5, barsBesideQuestion);

function barsOf(file: string): Bar[] {
  const lines = gunzipSync(readFileSync(new URL(file, import.meta.url)))
    .toString()
    .trimEnd()
    .split('\n');
  return lines.slice(1).map((line) => line.split(',').map(Number) as unknown as Bar);
}

function barsBesideQuestion(): Bar[] {
  const { columns } = recordedBars();
  const from = columns.openTimeMs.indexOf(Date.parse(QUESTION_FROM));
  const count = (QUESTION_AND_COIN_DAYS * DAY_MS) / (5 * MINUTE_MS);
  return Array.from({ length: count }, (_, row) => {
    const at = (column: Float64Array) => column[from + row] ?? Number.NaN;
    return [at(columns.open), at(columns.high), at(columns.low), at(columns.close), at(columns.volume)];
  });
}

/** Candles of whole groups of bars. */
function coin(tokenId: string, from: string, minutes: number, read: () => readonly Bar[]): RecordedMarket {
  const barMs = minutes * MINUTE_MS;
  const series = (resolutionMs: number): History => {
    const bars = read();
    const size = resolutionMs / barMs;
    const groups = Array.from({ length: bars.length / size }, (_, index) =>
      bars.slice(index * size, (index + 1) * size),
    );
    const column = (value: (group: readonly Bar[]) => number) => Float64Array.from(groups, value);
    return historyOf(tokenId, 'crypto', resolutionMs, {
      kind: 'candle',
      count: groups.length,
      columns: {
        ...timesOf(from, resolutionMs, groups.length),
        open: column((group) => group[0]?.[0] ?? Number.NaN),
        high: column((group) => Math.max(...group.map(([, high]) => high))),
        low: column((group) => Math.min(...group.map(([, , low]) => low))),
        close: column((group) => group.at(-1)?.[3] ?? Number.NaN),
        volume: column((group) => group.reduce((sum, [, , , , volume]) => sum + volume, 0)),
      },
    });
  };
  return {
    instrument: { ...SPOT, token_id: tokenId, market: tokenId, title: tokenId.replace(/USDT$/, '/USDT') },
    resolutionMs: barMs,
    series,
  };
}

/** The daily price of the Yes of a question. */
function question(name: string, title: string): RecordedMarket {
  const series = (): History => {
    const file = readFileSync(new URL('../simulator/world/data/prediction-1d.csv', import.meta.url), 'utf8');
    const prices =
      file
        .split('\n')
        .find((line) => line.startsWith(`${name},`))
        ?.slice(name.length + 1)
        .split(' ') ?? [];
    return historyOf(name, 'venue-b', DAY_MS, {
      kind: 'midpoint',
      count: prices.length,
      columns: { ...timesOf(QUESTION_FROM, DAY_MS, prices.length), price: Float64Array.from(prices, Number) },
    });
  };
  return {
    instrument: { ...OUTCOME, token_id: name, market: name, contract: name, title },
    resolutionMs: DAY_MS,
    series,
  };
}

function named(title: string, market: RecordedMarket): RecordedMarket {
  return { ...market, instrument: { ...market.instrument, title } };
}

function timesOf(from: string, resolutionMs: number, count: number) {
  const openMs = (row: number) => Date.parse(from) + row * resolutionMs;
  return {
    openTimeMs: Float64Array.from({ length: count }, (_, row) => openMs(row)),
    closeTimeMs: Float64Array.from({ length: count }, (_, row) => openMs(row + 1) - 1),
  };
}

const historyOf = (
  tokenId: string,
  venue: InstrumentRow['venue'],
  resolutionMs: number,
  rows: SeriesRows<'candle'> | SeriesRows<'midpoint'>,
): History => ({
  key: { venue, tokenId, kind: rows.kind, resolutionMs },
  rows: rows as unknown as SeriesRows,
  gaps: [],
  missing: [],
  hash: tokenId,
  source: 'recorded',
});
