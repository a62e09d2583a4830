/** Warnings about graphs that work but deserve a review. They never stop a deploy. */

import { shortName } from '../nodes/quote-readers.ts';
import { evaluate } from '../run/evaluate.ts';
import type { Plan } from '../run/run.ts';
import type { Issue, World } from '../types.ts';
import { percentOf } from '../values.ts';
import type { Issues } from './issues.ts';
import { nodeLocation } from './parsed-graph.ts';
import type { GraphNode } from './wiring.ts';

/** The default of the rule `maxOrdersPerMinute`, which counts buys. */
const BUYS_PER_MINUTE = 10;

export function addReviewWarnings(graph: readonly GraphNode[], issues: Issues): void {
  warnOfManyOrders(graph, issues);
  warnOfBasketLosses(graph, issues);
  const sold = new Set(graph.filter(sells).map(({ node }) => node?.trade?.tokenId));
  for (const graphNode of graph) {
    const trade = graphNode.node?.trade;
    if (trade?.origin !== 'order') continue;
    const { label } = graphNode.parsed;
    if (trade.side === 'buy' && !sold.has(trade.tokenId)) {
      const message = `“${label}” buys ${shortName(trade.tokenId)}, but nothing in this blueprint ever sells it. Add an exit.`;
      issues.warning(nodeLocation(graphNode.parsed), 'no_exit', message);
    }
    if (trade.side === 'buy' && !isGuarded(graphNode, new Set())) {
      const message = `“${label}” trades without a guard: a wide spread or a thin book would not stop it. Put a guard before it.`;
      issues.warning(nodeLocation(graphNode.parsed), 'no_guard', message);
    }
  }
}

function warnOfBasketLosses(graph: readonly GraphNode[], issues: Issues): void {
  for (const { node, parsed } of graph) {
    const { basket, side, maxLoss } = node?.trade ?? {};
    if (basket === undefined || maxLoss === undefined) continue;
    const loss = `at a loss of up to ${percentOf(maxLoss)} of its limit price, and fees`;
    const message =
      side === 'buy'
        ? `If another leg of “${basket}” fails, what “${parsed.label}” bought is sold ${loss}. Where the market offers less, it stays: then all of it is at risk.`
        : `If another leg of “${basket}” fails, what “${parsed.label}” sold is bought back ${loss}. Where the market asks more, or rules or a person refuse that buy, it stays sold.`;
    issues.warning(nodeLocation(parsed, 'data', 'config', 'maxLoss'), 'basket_loss', message);
  }
}

/** Reports the quote with which the buys of all quotes can pass the usual limit of orders a minute. */
function warnOfManyOrders(graph: readonly GraphNode[], issues: Issues): void {
  let sum = 0;
  for (const { node, parsed } of graph) {
    const { side, refreshMinSec } = node?.trade ?? {};
    if (side !== 'buy' || refreshMinSec === undefined) continue;
    const before = sum;
    sum += 60 / refreshMinSec;
    if (before > BUYS_PER_MINUTE || sum <= BUYS_PER_MINUTE) continue;
    const message = `With “${parsed.label}” the buy quotes can raise ${Math.ceil(sum)} orders a minute; the rule “maxOrdersPerMinute” allows ${BUYS_PER_MINUTE} unless you change it. Raise “refreshMinSec”.`;
    issues.warning(nodeLocation(parsed, 'data', 'config', 'refreshMinSec'), 'many_orders', message);
  }
}

function sells({ node }: GraphNode): boolean {
  return node?.trade?.side === 'sell';
}

/** One guard upstream is enough, even if another path to the trigger bypasses it. */
function isGuarded({ sources, type }: GraphNode, seen: Set<GraphNode>): boolean {
  if (type.type === 'guard') return true;
  for (const source of [...sources.values()].flat()) {
    if (seen.has(source)) continue;
    seen.add(source);
    if (isGuarded(source, seen)) return true;
  }
  return false;
}

/** Returns the actions that would act at once if the plan were deployed now, for the deploy dialog. */
export function wouldFireNow(plan: Plan, world: World, now: number): Issue[] {
  const { intents, notifications } = evaluate(plan, world, null, now);
  const trades = intents.map((intent) =>
    warning(plan, intent.nodeId, `${intent.side} ${intent.amount} ${shortName(intent.tokenId)}`),
  );
  return [...trades, ...notifications.map(({ nodeId }) => warning(plan, nodeId, 'send its notification'))];
}

function warning(plan: Plan, nodeId: string, what: string): Issue {
  return {
    nodeId,
    path: plan.paths[plan.nodeIds.indexOf(nodeId)] ?? '',
    code: 'fires_at_deploy',
    severity: 'warning',
    message: `Its condition is true now: at the deploy it would ${what} at once.`,
  };
}
