/** Templates over recorded days, beside independent scripts of the same strategies: every intent must agree, row by row. */
import { describe, expect, test } from 'vitest';
import { templateGraph } from '../../../../engine/strategy/graph/templates/graphs.ts';
import { edgeOfContract, newsOfContract, rangeOfContract } from '../../../reference/contract-script.ts';
import { type Coin, looksAt, type Row } from '../../../reference/recorded-days.ts';
import { basis, fundingAt, SCRIPTS } from '../../../reference/template-scripts.ts';
import { settledMarkets } from '../../../support/contracts.ts';
import { facts, quote } from './graph-fixtures.ts';
import { play, playCoins } from './template-player.ts';

type Case = {
  readonly coins: readonly Coin[];
  /** Candles by interval, in bars of five minutes. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Recorded days: where it starts, and how many show at least `rows` intents. */
  readonly from: number;
  readonly days: number;
  readonly rows: number;
};

const BTC: readonly Coin[] = ['BTCUSDT'];
const BOTH: readonly Coin[] = ['BTCUSDT', 'ETHUSDT'];
const CASES: Readonly<Record<keyof typeof SCRIPTS, Case>> = {
  momentum: { coins: BTC, sizes: { '5m': 1 }, from: 14, days: 2, rows: 10 },
  'bollinger-breakout': { coins: ['ETHUSDT'], sizes: { '15m': 3 }, from: 14, days: 3, rows: 6 },
  macd: { coins: BTC, sizes: { '1h': 12 }, from: 14, days: 5, rows: 6 },
  'mean-reversion': { coins: BTC, sizes: { '5m': 1 }, from: 14, days: 4, rows: 4 },
  pair: { coins: BOTH, sizes: { '1h': 12 }, from: 14, days: 6, rows: 2 },
  accumulation: { coins: BTC, sizes: {}, from: 14, days: 1, rows: 14 },
  twap: { coins: ['ETHUSDT'], sizes: {}, from: 14, days: 1, rows: 12 },
  rotation: { coins: BOTH, sizes: { '1h': 12 }, from: 14, days: 6, rows: 4 },
  rebalancing: { coins: BTC, sizes: {}, from: 14, days: 3, rows: 5 },
  'first-of-month': { coins: BTC, sizes: {}, from: 9, days: 9, rows: 2 },
};
const LAST_DAY = 42;

/** A template as its script reads it: two recorded coins, candles of five minutes for those of one, a stake below all limits. */
function recordedGraph(key: string, outcomes?: Parameters<typeof templateGraph>[1]): unknown {
  const text = JSON.stringify(templateGraph(key, outcomes));
  return JSON.parse(
    text
      .replace('"fraction":0.25', '"fraction":0.02')
      .replace('["BTCUSDT","ETHUSDT","SOLUSDT","XRPUSDT"]', JSON.stringify(BOTH))
      .replace('"interval":"1m"', '"interval":"5m"'),
  );
}

describe.each(Object.entries(CASES))('the template %s raises the intents of its script', (key, of) => {
  const script = SCRIPTS[key as keyof typeof SCRIPTS];
  const expectAgreement = (days: number): void => {
    const looks = looksAt(of.from, days);
    const expected = script(looks);
    expect(expected.length).toBeGreaterThanOrEqual(of.rows);
    expect(playCoins(recordedGraph(key), of.coins, of.sizes, looks)).toEqual(expected);
  };

  test('on recorded days', () => expectAgreement(of.days));

  test('on all recorded days', { tags: ['long'], timeout: 240_000 }, () =>
    expectAgreement(LAST_DAY - of.from),
  );
});

test('the template basis raises the intents of its script on recorded prices, with funding rates sent to it', () => {
  const looks = looksAt(14, 6);
  const from = looks[0]?.now ?? 0;
  const expected = basis(looks);
  expect(expected.length).toBeGreaterThanOrEqual(5);
  const raised = playCoins(recordedGraph('basis'), BTC, {}, looks, (now) => {
    const funding = fundingAt(now, from);
    return new Map(funding === null ? [] : [['funding', { ...funding, id: String(funding.at) }]]);
  });
  expect(raised).toEqual(expected);
});

/** Contracts of the recorded day that closes at midnight, as if each closed two hours later: some templates leave before. */
const MARKETS = settledMarkets().filter(({ closeMs }) =>
  new Date(closeMs).toISOString().startsWith('2026-05-14'),
);
const TWO_HOURS_MS = 7_200_000;

type Market = (typeof MARKETS)[number];
const newsOf = ({ quotes }: Market): number[] => [60_000, 300_000].map((ms) => (quotes[0]?.atMs ?? 0) + ms);

function playContract(key: string, market: Market, closesAt: number): Row[] {
  const { tokenId, quotes } = market;
  const known = facts(tokenId, { closesAt, tickSize: '0.001', stepSize: '1', minSize: '1' });
  const moments = quotes.map(({ atMs, bid, ask, bidSize, askSize }) => () => {
    const news = newsOf(market).filter((at) => at <= atMs);
    const at = news.at(-1) ?? 0;
    return {
      now: atMs,
      quotes: new Map([[tokenId, quote({ bid, ask, bidSize, askSize, last: null, asOf: atMs })]]),
      signals: new Map(news.length > 0 ? [['news', { value: 1, at, id: String(at) }]] : []),
    };
  });
  return play(recordedGraph(key, { outcomeA: tokenId, outcomeB: '1' }), [known], moments);
}

describe.each([
  ['probability-range', 0, ({ tokenId, closeMs, quotes }) => rangeOfContract(tokenId, closeMs, quotes)],
  ['probability-edge', TWO_HOURS_MS, ({ tokenId, quotes }) => edgeOfContract(tokenId, quotes)],
  ['news', TWO_HOURS_MS, (market) => newsOfContract(market.tokenId, market.quotes, newsOf(market))],
] as [string, number, (market: Market) => Row[]][])(
  'the template %s raises the intents of its script',
  (key, laterMs, script) => {
    test('on the contracts of a recorded day', () => {
      const expected = MARKETS.flatMap(script);
      expect(expected.length).toBeGreaterThanOrEqual(20);
      expect(MARKETS.flatMap((market) => playContract(key, market, market.closeMs + laterMs))).toEqual(
        expected,
      );
    });
  },
);
