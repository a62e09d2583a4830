import { describe, expect, test } from 'vitest';
import { ForecastRecorder } from '../../../../engine/research/playback/record/forecast-recorder.ts';
import { contract, factFromStart, inputOf, requestOf, run } from '../../../support/backtest.ts';
import {
  CASH,
  cheapContractGraph,
  spanOf,
  termsOf,
  tradesByLoop,
} from '../../../support/cheap-contract-graph.ts';
import { settledMarkets } from '../../../support/contracts.ts';

const MARKETS = settledMarkets().filter(({ quotes }) => quotes.length > 0);
const DRAWN = 'KXDRAWN-26:yes';
const MORE = 0.05;

/** The graph of cheap contracts, which also believes that each is worth a little more than its offer. */
function believing() {
  const { nodes, edges } = cheapContractGraph(DRAWN);
  const node = (id: string, type: string, config: object) => ({ id, type, data: { config } });
  const edge = (source: string, target: string, targetHandle: string) => ({ source, target, targetHandle });
  return {
    nodes: [
      ...nodes,
      node('more', 'constant', { value: MORE }),
      node('fair', 'math', { op: 'add' }),
      node('edge', 'probability.edge', { feeRate: 0 }),
      node('zero', 'constant', { value: 0 }),
      node('good', 'compare', { op: 'gt' }),
    ],
    edges: [
      ...edges,
      edge('ask', 'fair', 'in'),
      edge('more', 'fair', 'in'),
      edge('fair', 'edge', 'fair'),
      edge('ask', 'edge', 'price'),
      edge('edge', 'good', 'a'),
      edge('zero', 'good', 'b'),
      edge('good', 'both', 'in'),
    ],
  };
}

const played = (visual: unknown, markets = MARKETS) =>
  run(
    inputOf(
      requestOf(spanOf(markets), {
        cash: CASH,
        data: { substitute: { [DRAWN]: markets.map(({ tokenId }) => tokenId) } },
      }),
      {
        visual,
        facts: markets.map((market) => factFromStart(contract(market.tokenId, termsOf(market)))),
        histories: [],
        recorded: markets.map(({ tokenId, quotes }) => ({ tokenId, quotes })),
      },
    ),
  ).summary.forecasts;

test('the probabilities of a graph are scored beside the midpoints of 180 settled markets, as a loop over their quotes does', () => {
  const traded = new Set(tradesByLoop(MARKETS).settled.map(({ tokenId }) => tokenId));
  let [count, own, market] = [0, 0, 0];
  for (const { tokenId, closeMs, result, quotes } of MARKETS) {
    const first = quotes.find(({ ask, atMs }) => ask !== null && ask <= 0.3 && closeMs - atMs >= 60_000);
    if (!traded.has(tokenId) || first?.ask == null || first.bid === null) continue;
    const outcome = result === 'yes' ? 1 : 0;
    count++;
    own += (first.ask + MORE - outcome) ** 2;
    market += ((first.bid + first.ask) / 2 - outcome) ** 2;
  }
  expect(count).toBeGreaterThan(20);
  const seen = played(believing());
  expect(seen?.count).toBe(count);
  expect(seen?.brier.value).toBeCloseTo(own / count, 12);
  expect(seen?.marketBrier.value).toBeCloseTo(market / count, 12);
  expect(seen?.skill.value).toBeCloseTo(1 - own / market, 12);
});

describe('a probability is scored only if', () => {
  const NO = 'KXOTHER-26:no';
  const BOUGHT = 'KXOTHER-26:yes';
  const book = { bid: 0.4, ask: 0.44 };
  const node = (id: string, type: string, config: object) => ({ id, type, data: { config } });
  const graphAbout = (instrument: string) => ({
    nodes: [
      node('fair', 'constant', { value: 0.3 }),
      node('ask', 'market.price', { instrument, field: 'ask' }),
      node('edge', 'probability.edge', { feeRate: 0 }),
    ],
    edges: [
      { source: 'fair', target: 'edge', targetHandle: 'fair' },
      { source: 'ask', target: 'edge', targetHandle: 'price' },
    ],
  });
  const scoredOf = (about: string, value: number) => {
    const recorder = new ForecastRecorder([graphAbout(about)]);
    const inputs = { inputs: [{ nodeId: 'fair', name: 'out', value }] };
    recorder.decided({ id: '1', side: 'buy', token_id: BOUGHT, inputs }, book);
    recorder.fill(BOUGHT, '1');
    recorder.trade({ holding: BOUGHT, settledAt: '1' });
    return recorder.score()?.count;
  };

  test('it is about the bought contract: an edge below 0 on one side buys the other, unscored', () => {
    expect(scoredOf(BOUGHT, 0.3)).toBe(1);
    expect(scoredOf(NO, 0.3)).toBe(0);
  });

  test('it lies between 0 and 1', () => {
    for (const value of [-0.01, 1.01]) expect(scoredOf(BOUGHT, value)).toBe(0);
    for (const value of [0, 1]) expect(scoredOf(BOUGHT, value)).toBe(1);
  });
});

test('a graph without a probability has no forecasts', () => {
  expect(played(cheapContractGraph(DRAWN), MARKETS.slice(0, 2))).toBeNull();
});
