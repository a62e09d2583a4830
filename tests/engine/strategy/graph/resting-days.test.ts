/** Templates whose orders rest, or that trade two markets, over recorded days beside independent scripts: every order and cancel must agree. */
import { describe, expect, test } from 'vitest';
import { templateGraph } from '../../../../engine/strategy/graph/templates/graphs.ts';
import { candlesAt, looksAt, quoteAt } from '../../../reference/recorded-days.ts';
import { quotingOfContract, RESTING_SCRIPTS } from '../../../reference/resting-scripts.ts';
import { arbitrageOf, barAt, hedgeOf, mirrored, slowerVenue } from '../../../reference/two-market-scripts.ts';
import { settledMarkets } from '../../../support/contracts.ts';
import { facts, quote, series } from './graph-fixtures.ts';
import { playResting } from './resting-player.ts';

const FIRST_DAY = 14;
const LAST_DAY = 42;
const BARS_OF_HOUR = 12;
const CANDLES_MAX = 30;
const BTC = facts('BTCUSDT', { stepSize: '0.00001', minSize: '0.00001' });

/** By template: days of the short test, and how many orders and cancels they show at least. */
const CASES: Readonly<Record<keyof typeof RESTING_SCRIPTS, { days: number; rows: number }>> = {
  grid: { days: 6, rows: 100 },
  ladder: { days: 6, rows: 100 },
  bracket: { days: 6, rows: 10 },
};

/** The template as its script reads it: a sample every five minutes, as often as prices are recorded. */
function recordedGraph(key: string): unknown {
  return JSON.parse(JSON.stringify(templateGraph(key)).replace('"sampleSec":20', '"sampleSec":300'));
}

function playDays(key: string, days: number) {
  const moments = looksAt(FIRST_DAY, days).map(({ now, bar }) => () => ({
    now,
    quotes: new Map([['BTCUSDT', quote({ ...quoteAt('BTCUSDT', bar), asOf: now })]]),
    candles: new Map([['BTCUSDT@1h', series(candlesAt('BTCUSDT', BARS_OF_HOUR, bar, CANDLES_MAX))]]),
  }));
  return playResting(recordedGraph(key), [BTC], moments);
}

describe.each(Object.entries(CASES))(
  'the template %s raises the orders and cancels of its script',
  (key, of) => {
    const script = RESTING_SCRIPTS[key as keyof typeof RESTING_SCRIPTS];
    const expectAgreement = (days: number): void => {
      const expected = script(looksAt(FIRST_DAY, days));
      expect(expected.length).toBeGreaterThanOrEqual(of.rows);
      expect(playDays(key, days)).toEqual(expected);
    };

    test('on recorded days', () => expectAgreement(of.days));

    test('on all recorded days', { tags: ['long'], timeout: 240_000 }, () =>
      expectAgreement(LAST_DAY - FIRST_DAY),
    );
  },
);

const MARKETS = settledMarkets().filter(({ closeMs }) =>
  new Date(closeMs).toISOString().startsWith('2026-05-14'),
);
const FIFTY_MINUTES_MS = 3_000_000;

test('the template two-sided-quoting raises the orders and cancels of its script on contracts of a recorded day', () => {
  const rows = MARKETS.flatMap(({ tokenId, closeMs, quotes }) => {
    const closesAt = closeMs + FIFTY_MINUTES_MS;
    const known = facts(tokenId, { closesAt, tickSize: '0.001', stepSize: '1', minSize: '1' });
    const moments = quotes.map(({ atMs, bid, ask }) => () => ({
      now: atMs,
      quotes: new Map([[tokenId, quote({ bid, ask, last: null, asOf: atMs })]]),
    }));
    const expected = quotingOfContract(tokenId, closesAt, quotes);
    expect(
      playResting(templateGraph('two-sided-quoting', { outcomeA: tokenId, outcomeB: '1' }), [known], moments),
    ).toEqual(expected);
    return expected;
  });
  expect(rows.length).toBeGreaterThanOrEqual(200);
});

const contract = (tokenId: string, closesAt: number) =>
  facts(tokenId, { closesAt, tickSize: '0.001', stepSize: '1', minSize: '1' });

/** No recorded day has both venues: the second one shows the same question half a minute later. */
test('the template arbitrage raises the orders of its script, with the same question at a slower venue', () => {
  const rows = MARKETS.flatMap(({ tokenId, closeMs, quotes }) => {
    const tokens = [tokenId, '10000'] as const;
    const others = slowerVenue(quotes);
    const moments = quotes.map((here, index) => () => {
      const there = others[index] ?? null;
      const { atMs, bid, ask, bidSize, askSize } = here;
      return {
        now: atMs,
        quotes: new Map(
          [[tokenId, here] as const, ...(there === null ? [] : [[tokens[1], there] as const])].map(
            ([token, each]) => [
              token,
              quote({
                bid: each.bid,
                ask: each.ask,
                bidSize: each.bidSize,
                askSize: each.askSize,
                asOf: atMs,
              }),
            ],
          ),
        ),
        books: new Map([
          [
            tokenId,
            {
              bids: bid === null ? [] : [{ price: bid, size: bidSize ?? 0 }],
              asks: ask === null ? [] : [{ price: ask, size: askSize ?? 0 }],
              asOf: atMs,
            },
          ],
        ]),
      };
    });
    const graph = templateGraph('arbitrage', { outcomeA: tokens[0], outcomeB: tokens[1] });
    const expected = arbitrageOf(tokens, quotes);
    expect(
      playResting(
        graph,
        tokens.map((token) => contract(token, closeMs + FIFTY_MINUTES_MS)),
        moments,
      ),
    ).toEqual(expected);
    return expected;
  });
  const acts = new Set(rows.map(([, node, act]) => `${node} ${act}`));
  for (const node of ['first', 'second'])
    for (const act of ['buy', 'sell', 'cancel']) expect(acts).toContain(`${node} ${act}`);
  for (const act of ['sell', 'cancel', 'buy'])
    expect([...acts].filter((each) => each.startsWith('out')).join()).toContain(act);
});

const HEDGED_DAY = 14;
const FIVE_MINUTES_MS = 300_000;

/** Bitcoin is that of another recorded day, at the same time of day: the contracts were recorded without it. */
test('the template hedged-contract raises the orders of its script, with the coin of another day', () => {
  const rows = MARKETS.flatMap(({ tokenId, closeMs, quotes: ofYes }) => {
    const token = tokenId.replace(':yes', ':no');
    const quotes = ofYes.map(mirrored);
    const closesAt = closeMs + FIVE_MINUTES_MS;
    const moments = quotes.map(({ atMs, bid, ask, bidSize, askSize }) => () => ({
      now: atMs,
      quotes: new Map([
        [token, quote({ bid, ask, bidSize, askSize, asOf: atMs })],
        ['BTCUSDT', quote({ ...quoteAt('BTCUSDT', barAt(atMs, HEDGED_DAY)), asOf: atMs })],
      ]),
    }));
    const graph = templateGraph('hedged-contract', { outcomeA: token, outcomeB: '1' });
    const expected = hedgeOf(token, closesAt, quotes, HEDGED_DAY);
    expect(playResting(graph, [contract(token, closesAt), BTC], moments)).toEqual(expected);
    return expected;
  });
  for (const node of ['buy', 'cover', 'uncover', 'exit']) expect(rows.map(([, by]) => by)).toContain(node);
});
