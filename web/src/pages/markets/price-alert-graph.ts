import type { Fields } from '../../editor/drawing/model.ts';

export type PriceAlert = {
  tokenId: string;
  field: 'mid' | 'last';
  op: 'gte' | 'lte';
  level: number;
  /** The notification, before the price. It contains no braces, which would refer to a node. */
  text: string;
};

/** A graph that notifies once after its deploy, when the price reaches the level. */
export function priceAlertGraph({ tokenId, field, op, level, text }: PriceAlert): Fields {
  const node = (id: string, type: string, config: Fields) => ({ id, type, data: { config } });
  const edge = (source: string, target: string, targetHandle: string) => ({ source, target, targetHandle });
  return {
    nodes: [
      node('price', 'market.price', { instrument: tokenId, field }),
      node('level', 'constant', { value: level }),
      node('reached', 'compare', { op }),
      node('first', 'once', { per: 'deploy' }),
      node('notify', 'notify', { text: `${text}: {price}` }),
    ],
    edges: [
      edge('price', 'reached', 'a'),
      edge('level', 'reached', 'b'),
      edge('reached', 'first', 'in'),
      edge('first', 'notify', 'when'),
    ],
  };
}

const NAME_CHARS_MAX = 60;

/** A market's name as a part of a strategy's name: short, and without braces and invisible characters. */
export function shortMarketName(name: string): string {
  const chars = [...name.replace(/[\p{Cc}\p{Cf}{}]+/gu, ' ')];
  return chars.length > NAME_CHARS_MAX ? `${chars.slice(0, NAME_CHARS_MAX - 1).join('')}…` : chars.join('');
}
