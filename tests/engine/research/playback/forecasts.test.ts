import { expect, test } from 'vitest';
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

test('a graph without a probability has no forecasts', () => {
  expect(played(cheapContractGraph(DRAWN), MARKETS.slice(0, 2))).toBeNull();
});
