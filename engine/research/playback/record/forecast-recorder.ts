import {
  type Forecast,
  type ForecastScore,
  forecastScoreOf,
} from '../../../books/statistics/forecast-score.ts';
import type { Trade } from '../../../books/statistics/trade-tracker.ts';
import type { DecisionInput } from '../../../strategy/graph/types.ts';
import type { OrderRow } from '../../../trading/orders/row.ts';
import type { TopOfBook } from '../bars/top-of-book.ts';

/** Contracts scored, so that memory stays bounded. */
const FORECASTS_MAX = 100_000;

/**
 * Scores the probabilities that a graph gives a `probability.edge` node: those of entries held until settlement, beside the
 * midpoint when they were decided. An order that reads more than one such probability has none.
 */
export class ForecastRecorder {
  readonly #nodes: ReadonlySet<string>;
  readonly #byOrder = new Map<string, Omit<Forecast, 'outcome'>>();
  readonly #entries = new Map<string, Omit<Forecast, 'outcome'> | null>();
  readonly #scored: Forecast[] = [];

  constructor(visual: unknown) {
    this.#nodes = probabilityNodesOf(visual);
  }

  decided(
    order: Pick<OrderRow, 'id' | 'side' | 'inputs'>,
    book: Pick<TopOfBook, 'bid' | 'ask'> | null,
  ): void {
    if (order.side !== 'buy' || this.#nodes.size === 0 || book?.bid == null || book.ask === null) return;
    const { inputs = [] } = (order.inputs ?? {}) as { inputs?: readonly DecisionInput[] };
    // A copy of a node for an instrument of a list is named `node/instrument`.
    const own = inputs.filter(
      ({ nodeId, name }) => name === 'out' && this.#nodes.has(nodeId.split('/')[0] ?? nodeId),
    );
    const [{ value } = { value: null }] = own;
    if (own.length === 1 && typeof value === 'number')
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
    return this.#nodes.size === 0 ? null : forecastScoreOf(this.#scored);
  }
}

type Visual = {
  readonly nodes?: readonly { readonly id: string; readonly type: string }[];
  readonly edges?: readonly {
    readonly source: string;
    readonly target: string;
    readonly targetHandle: string;
  }[];
};

/** The nodes wired into the input `fair` of a `probability.edge` node. */
function probabilityNodesOf(visual: unknown): ReadonlySet<string> {
  const { nodes = [], edges = [] } = visual as Visual;
  const edgeNodes = new Set(nodes.filter(({ type }) => type === 'probability.edge').map(({ id }) => id));
  return new Set(
    edges.flatMap(({ source, target, targetHandle }) =>
      edgeNodes.has(target) && targetHandle === 'fair' ? [source] : [],
    ),
  );
}
