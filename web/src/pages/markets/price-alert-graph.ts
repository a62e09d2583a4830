import type { Fields } from '../../editor/drawing/model.ts';

export type PriceAlert = { tokenId: string; op: 'gte' | 'lte'; level: number; text: string };

/** Words of strangers, as in names of markets, refer to no node of the graph. */
const withoutMentions = (text: string): string => text.replace(/[{}]/g, '');

/** A graph that says `text` once after its deploy, when the price reaches the level, and then the price. */
export function priceAlertGraph({ tokenId, op, level, text }: PriceAlert): Fields {
  const node = (id: string, type: string, config: Fields) => ({ id, type, data: { config } });
  const edge = (source: string, target: string, targetHandle: string) => ({ source, target, targetHandle });
  return {
    nodes: [
      node('price', 'market.price', { instrument: tokenId }),
      node('level', 'constant', { value: level }),
      node('reached', 'compare', { op }),
      node('first', 'once', { per: 'deploy' }),
      node('tell', 'notify', { text: `${withoutMentions(text)}: {price}` }),
    ],
    edges: [
      edge('price', 'reached', 'a'),
      edge('level', 'reached', 'b'),
      edge('reached', 'first', 'in'),
      edge('first', 'tell', 'when'),
    ],
  };
}
