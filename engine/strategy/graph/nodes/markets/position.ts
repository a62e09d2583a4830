import { z } from 'zod';
import { finite, unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { CATCHING_UP, isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { instrument } from '../shared-settings.ts';

const MARK_MAX_AGE_SEC = 30;

export const position = defineNode({
  type: 'position',
  group: 'source',
  title: 'Position',
  help: 'What this blueprint holds of an instrument, over all its deployments. Positions of other blueprints do not count.',
  phrase: ({ field }, { name, word }) => `${word(field)} of ${name} held`,
  laws: {
    unknown: 'All but the amount while nothing is held; gains while there is no bid or the quote is too old.',
  },
  outputs: [output('number', 'The number chosen by `field`.')],
  config: z.strictObject({
    instrument: instrument(),
    field: z.enum(['amount', 'averageCost', 'unrealizedPnl', 'unrealizedPct']).default('amount').meta({
      description:
        'Units held (0 if flat); average cost per unit; gain or loss at the best bid in USD; the same as a fraction of the cost (0.1 is +10 %). All but the amount are unknown while flat.',
    }),
  }),
  bind: ({ instrument: tokenId, field }) => ({
    moves: 'tick',
    needs: { position: tokenId, quote: tokenId },
    build() {
      const read = quoteReader(tokenId, MARK_MAX_AGE_SEC);
      const flat = unknown('no_position', `This blueprint holds no ${shortName(tokenId)}.`);
      const noBid = unknown('no_quote', `${shortName(tokenId)} has no bid price now.`);
      return {
        compute(run) {
          if (!run.isLive) return CATCHING_UP;
          const held = run.world.positions.get(tokenId);
          if (field === 'amount') return held === undefined ? 0 : Number(held.amount);
          if (held === undefined) return flat;
          const cost = Number(held.averageCost);
          if (field === 'averageCost') return cost;
          const quote = read(run);
          if (isMissing(quote)) return quote;
          if (quote.bid === null) return noBid;
          return field === 'unrealizedPnl'
            ? finite((quote.bid - cost) * Number(held.amount))
            : finite(quote.bid / cost - 1);
        },
        asOf: (run) => (field.startsWith('unrealized') ? (run.quote(tokenId)?.asOf ?? null) : run.now),
      };
    },
  }),
});
