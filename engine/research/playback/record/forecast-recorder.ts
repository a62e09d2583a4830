import {
  type Forecast,
  type ForecastScore,
  forecastScoreOf,
} from '../../../books/statistics/forecast-score.ts';
import type { Trade } from '../../../books/statistics/trade-tracker.ts';
import { parseEnabledGraph } from '../../../strategy/graph/compile/disabled-nodes.ts';
import type { DecisionInput } from '../../../strategy/graph/types.ts';
import type { OrderRow } from '../../../trading/orders/row.ts';
import type { TopOfBook } from '../bars/top-of-book.ts';

/** Contracts scored, so that memory stays bounded. */
const FORECASTS_MAX = 100_000;

/**
 * Scores the probabilities that a graph gives a `probability.edge` node: those of entries held until settlement, beside the
 * midpoint when they were decided. Only a probability of the bought contract counts: the edge compares it with a price of that
 * contract, directly. An order that reads more than one such probability has none.
 */
export class ForecastRecorder {
  /** By node that states a probability: the contracts it is compared with. */
  readonly #contracts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #byOrder = new Map<string, Omit<Forecast, 'outcome'>>();
  readonly #entries = new Map<string, Omit<Forecast, 'outcome'> | null>();
  readonly #scored: Forecast[] = [];

  /** @param visuals of all simulated accounts: one graph, with each substitute in it. */
  constructor(visuals: readonly unknown[]) {
    this.#contracts = comparedContractsOf(visuals);
  }

  decided(
    order: Pick<OrderRow, 'id' | 'side' | 'token_id' | 'inputs'>,
    book: Pick<TopOfBook, 'bid' | 'ask'> | null,
  ): void {
    if (order.side !== 'buy' || this.#contracts.size === 0 || book?.bid == null || book.ask === null) return;
    const { inputs = [] } = (order.inputs ?? {}) as { inputs?: readonly DecisionInput[] };
    const own = inputs.filter(({ nodeId, name }) => name === 'out' && this.#contracts.has(nodeId));
    const [{ nodeId, value } = { nodeId: '', value: null }] = own;
    const isOfOrder = own.length === 1 && this.#contracts.get(nodeId)?.has(order.token_id) === true;
    if (isOfOrder && typeof value === 'number' && value >= 0 && value <= 1)
      this.#byOrder.set(order.id, { own: value, market: (book.bid + book.ask) / 2 });
  }

  /** Takes a fill before the trade that it may end: the first one of a holding is its entry. */
  fill(holding: string, orderId: string): void {
    if (!this.#entries.has(holding)) this.#entries.set(holding, this.#byOrder.get(orderId) ?? null);
  }

  ended(orderId: string): void {
    this.#byOrder.delete(orderId);
  }

  trade({ holding, settledAt }: Pick<Trade, 'holding' | 'settledAt'>): void {
    const entry = this.#entries.get(holding);
    this.#entries.delete(holding);
    if (entry && settledAt !== null && this.#scored.length < FORECASTS_MAX)
      this.#scored.push({ ...entry, outcome: Number(settledAt) });
  }

  /** Null for a graph without a probability. */
  score(): ForecastScore | null {
    return this.#contracts.size === 0 ? null : forecastScoreOf(this.#scored);
  }
}

const PRICE_TYPES: ReadonlySet<string> = new Set(['market.price', 'market.book']);

/** By node wired into `fair` of a `probability.edge` node: the contracts whose price is wired into `price` of the same one. */
function comparedContractsOf(visuals: readonly unknown[]): ReadonlyMap<string, ReadonlySet<string>> {
  const contracts = new Map<string, Set<string>>();
  for (const visual of visuals) {
    const { nodes, edges } = parseEnabledGraph(visual);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const into = (id: string, port: string) =>
      edges.flatMap(({ source, target, targetHandle }) =>
        target === id && targetHandle === port ? [source] : [],
      );
    for (const { id } of nodes.filter(({ type }) => type === 'probability.edge')) {
      const priced = into(id, 'price').flatMap((source) => {
        const { type = '', config } = byId.get(source) ?? {};
        return PRICE_TYPES.has(type) ? [(config as { instrument: string }).instrument] : [];
      });
      for (const fair of into(id, 'fair'))
        contracts.set(fair, new Set([...(contracts.get(fair) ?? []), ...priced]));
    }
  }
  return contracts;
}
