/** Checks of baskets: each is whole, and knows what it bought. */
import { quoted } from '../json.ts';
import { shortName } from '../nodes/quote-readers.ts';
import type { Issues } from './issues.ts';
import { nodeLocation, type ParsedNode } from './parsed-graph.ts';
import type { GraphNode } from './wiring.ts';

const LEGS_MIN = 2;
const LEGS_MAX = 8;

export function checkBaskets(graph: readonly GraphNode[], issues: Issues): void {
  const all = graph.filter(({ node }) => node?.trade?.basket !== undefined);
  const legs = all.filter((each) => !isCopy(each));
  for (const { parsed } of all.filter(isCopy)) {
    const message = `“${parsed.label}” runs once for each instrument of a list, and a basket cannot. Draw a leg for each instrument.`;
    issues.error(nodeLocation(parsed, 'data', 'config', 'instrument'), 'basket_instrument', message);
  }
  const disabled = new Set(graph.filter(isDisabledLeg).map(({ parsed }) => basketOf(parsed)));
  for (const [basket, own] of Map.groupBy(legs, ({ parsed }) => basketOf(parsed))) {
    const found = sizeProblem(own.length, disabled.has(basket));
    for (const leg of own) {
      const name = `“${leg.parsed.label}”`;
      if (found !== null) {
        const message = `The basket ${quoted(leg.node?.trade?.basket)} of ${name} ${found}`;
        issues.error(nodeLocation(leg.parsed, 'data', 'config', 'basket'), 'basket_size', message);
      }
      const other = otherOfSide(leg, graph);
      if (other === undefined) continue;
      const isBuy = leg.node?.trade?.side === 'buy';
      const [does, undoes, act] = isBuy ? ['buys', 'sells', 'buy'] : ['sells', 'buys back', 'sell'];
      const message = `“${other.parsed.label}” ${does} ${shortName(leg.node?.trade?.tokenId ?? '')} too. An undo of ${name} could not tell whose units it ${undoes}: let one node ${act} it.`;
      issues.error(nodeLocation(leg.parsed, 'data', 'config', 'instrument'), 'basket_instrument', message);
    }
  }
}

function sizeProblem(count: number, hasDisabled: boolean): string | null {
  if (hasDisabled) return 'has a leg that is switched off. Switch off all of its legs, or none.';
  if (count >= LEGS_MIN && count <= LEGS_MAX) return null;
  return `has ${count} ${count === 1 ? 'leg' : 'legs'}; ${LEGS_MIN} to ${LEGS_MAX} belong together. Give the legs the same name.`;
}

const isCopy = ({ parsed }: GraphNode): boolean => parsed.id !== parsed.graphId;

const basketOf = ({ config }: ParsedNode): string => String(Object(config).basket);

const isDisabledLeg = ({ parsed, node }: GraphNode): boolean =>
  parsed.type === 'leg' && node !== null && node.trade === undefined;

const otherOfSide = (leg: GraphNode, graph: readonly GraphNode[]): GraphNode | undefined =>
  graph.find(
    ({ node }) =>
      node !== leg.node &&
      node?.trade?.side === leg.node?.trade?.side &&
      node?.trade?.tokenId === leg.node?.trade?.tokenId,
  );
