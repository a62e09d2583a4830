/** Templates over recorded days, beside independent scripts of the same strategies: every intent must agree, row by row. */
import { describe, expect, test } from 'vitest';
import { templateGraph } from '../../../../engine/strategy/graph/templates/graphs.ts';
import { rangeOfContract } from '../../../reference/contract-script.ts';
import { type Coin, looksAt, type Row } from '../../../reference/recorded-days.ts';
import { SCRIPTS } from '../../../reference/template-scripts.ts';
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

/** A template as its script reads it: two recorded coins, and candles of five minutes for those of one. */
function recordedGraph(key: string): unknown {
  const text = JSON.stringify(templateGraph(key));
  return JSON.parse(
    text
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

test('the template probability-range raises the intents of its script on the contracts of a recorded day', () => {
  const markets = settledMarkets().filter(({ closeMs }) =>
    new Date(closeMs).toISOString().startsWith('2026-05-14'),
  );
  const [raised, expected]: Row[][] = [[], []];
  for (const { tokenId, closeMs, quotes } of markets) {
    const known = facts(tokenId, { closesAt: closeMs, tickSize: '0.001', stepSize: '1', minSize: '1' });
    const moments = quotes.map(({ atMs, bid, ask, bidSize, askSize }) => () => ({
      now: atMs,
      quotes: new Map([[tokenId, quote({ bid, ask, bidSize, askSize, last: null, asOf: atMs })]]),
    }));
    const graph = templateGraph('probability-range', { outcomeA: tokenId, outcomeB: '1' });
    raised?.push(...play(graph, [known], moments));
    expected?.push(...rangeOfContract(tokenId, closeMs, quotes));
  }
  expect(expected?.length).toBeGreaterThanOrEqual(20);
  expect(raised).toEqual(expected);
});
