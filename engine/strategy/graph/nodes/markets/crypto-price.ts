import { z } from 'zod';
import { unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { isMissing, quoteReader } from '../quote-readers.ts';
import { maxAgeSec, symbol } from '../shared-settings.ts';

export const cryptoPrice = defineNode({
  type: 'crypto.price',
  group: 'source',
  title: 'Crypto price',
  help: 'The price of a crypto symbol now, or its change over 24 hours. Moves with every quote.',
  phrase: ({ field }, { name, word }) => `${name} ${word(field)}`,
  laws: {
    unknown:
      'While the market is not open, the side has no offer, or the quote is too old; before the first quote.',
  },
  outputs: [output('number', 'The price; `change24h` is a fraction: 0.05 is +5 %.')],
  config: z.strictObject({
    symbol: symbol(),
    field: z
      .enum(['last', 'bid', 'ask', 'change24h'])
      .default('last')
      .meta({ description: 'Last trade, best bid, best ask, or the relative change over 24 hours.' }),
    maxAgeSec: maxAgeSec(),
  }),
  bind: (config) => ({
    moves: 'tick',
    needs: { quote: config.symbol },
    build() {
      const read = quoteReader(config.symbol, config.maxAgeSec);
      const none = unknown('no_quote', `${config.symbol} has no ${config.field} now.`);
      return {
        compute(run) {
          const quote = read(run);
          return isMissing(quote) ? quote : (quote[config.field] ?? none);
        },
        asOf: (run) => run.quote(config.symbol)?.asOf ?? null,
      };
    },
  }),
});
