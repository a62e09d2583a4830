import { z } from 'zod';
import type { GraphQuote } from '../../types.ts';
import { unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { instrument, maxAgeSec } from '../shared-settings.ts';

const FIELDS = ['mid', 'bid', 'ask', 'last'] as const;

export const marketPrice = defineNode({
  type: 'market.price',
  group: 'source',
  title: 'Market price',
  help: 'The price of an instrument now. Unknown while the market is closed, the side has no offer or the quote is too old.',
  phrase: ({ field }, { name, text }) => `${name} ${text(field)}`,
  laws: {
    unknown:
      'While the market is not open, the side has no offer, or the quote is too old; before the first quote.',
  },
  outputs: [output('number', 'The price in USD; 0 to 1 for outcomes.')],
  config: z.strictObject({
    instrument: instrument(),
    field: z
      .enum(FIELDS)
      .default('mid')
      .meta({ description: 'Best bid, best ask, the middle of both, or the last trade.' }),
    maxAgeSec: maxAgeSec(),
  }),
  bind: ({ instrument: tokenId, field, maxAgeSec: age }) => ({
    moves: 'tick',
    needs: { quote: tokenId },
    build() {
      const read = quoteReader(tokenId, age);
      const none = unknown('no_quote', `${shortName(tokenId)} has no ${field} price now.`);
      const pick = PICK[field];
      return {
        compute(run) {
          const quote = read(run);
          return isMissing(quote) ? quote : (pick(quote) ?? none);
        },
        asOf: (run) => run.quote(tokenId)?.asOf ?? null,
      };
    },
  }),
});

const PICK: Record<(typeof FIELDS)[number], (quote: GraphQuote) => number | null> = {
  bid: (quote) => quote.bid,
  ask: (quote) => quote.ask,
  last: (quote) => quote.last,
  mid: ({ bid, ask }) => (bid === null || ask === null ? null : (bid + ask) / 2),
};
