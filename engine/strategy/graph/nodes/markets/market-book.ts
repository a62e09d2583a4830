import { z } from 'zod';
import type { Book, BookLevel, Value } from '../../types.ts';
import { finite, unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { bookReader, isMissing, shortName } from '../quote-readers.ts';
import { amount, instrument, maxAgeSec } from '../shared-settings.ts';

const common = {
  instrument: instrument(),
  maxAgeSec: maxAgeSec(),
};
const levels = z
  .int()
  .min(1)
  .max(100)
  .default(10)
  .meta({ description: 'How many price levels count, best first.' });
const side = z
  .enum(['bid', 'ask'])
  .default('ask')
  .meta({ description: 'Which side of the book: you buy from the asks and sell to the bids.' });

const settings = z.discriminatedUnion('measure', [
  z.strictObject({
    ...common,
    measure: z.literal('spread').meta({ description: 'Best ask minus best bid.' }),
  }),
  z.strictObject({
    ...common,
    measure: z
      .literal('imbalance')
      .meta({ description: '(bid size − ask size) ÷ their sum: +1 is all bids, −1 all asks.' }),
    levels,
  }),
  z.strictObject({
    ...common,
    measure: z.literal('depth').meta({ description: 'Units offered on one side.' }),
    side,
    levels,
  }),
  z.strictObject({
    ...common,
    measure: z
      .literal('priceForSize')
      .meta({ description: 'Average price of trading `size` units against one side now.' }),
    side,
    size: amount('Units to trade.'),
  }),
]);
type Settings = z.output<typeof settings>;

export const marketBook = defineNode({
  type: 'market.book',
  group: 'source',
  title: 'Order book',
  help: 'A measure of the order book of an instrument: spread, imbalance, depth, or the average price of a size. Says nothing of whether the market is open.',
  phrase: ({ measure, side: of, size, levels: most }, { name, word, text }) => {
    const units = size === undefined ? '' : ` of ${text(size)} units`;
    const within = most === undefined ? '' : ` within ${text(most)} levels`;
    return `${of === undefined ? '' : `${text(of)} `}${word(measure)}${units} of ${name}${within}`;
  },
  laws: {
    unknown: 'While the book is too old, has an empty side or is not deep enough; before the first book.',
  },
  outputs: [output('number', 'The measure.')],
  config: settings,
  bind: (config) => ({
    moves: 'tick',
    needs: { book: config.instrument },
    build() {
      const read = bookReader(config.instrument, config.maxAgeSec);
      const measure = measureOf(config);
      return {
        compute(run) {
          const book = read(run);
          return isMissing(book) ? book : measure(book);
        },
        asOf: (run) => run.world.books.get(config.instrument)?.asOf ?? null,
      };
    },
  }),
});

function measureOf(config: Settings): (book: Book) => Value {
  const name = shortName(config.instrument);
  const oneSided = unknown('no_quote', `The book of ${name} has an empty side.`);
  switch (config.measure) {
    case 'spread':
      return ({ bids, asks }) =>
        bids[0] === undefined || asks[0] === undefined ? oneSided : finite(asks[0].price - bids[0].price);
    case 'imbalance':
      return ({ bids, asks }) => {
        const bid = sizeOf(bids, config.levels);
        const ask = sizeOf(asks, config.levels);
        return bid + ask > 0 ? finite((bid - ask) / (bid + ask)) : oneSided;
      };
    case 'depth':
      return (book) => finite(sizeOf(config.side === 'bid' ? book.bids : book.asks, config.levels));
    case 'priceForSize': {
      const thin = unknown('thin_book', `The book of ${name} does not hold ${config.size} units.`);
      return (book) => averagePrice(config.side === 'bid' ? book.bids : book.asks, config.size) ?? thin;
    }
  }
}

function sizeOf(side: readonly BookLevel[], levelCount: number): number {
  let size = 0;
  for (let i = 0; i < side.length && i < levelCount; i++) size += (side[i] as BookLevel).size;
  return size;
}

function averagePrice(side: readonly BookLevel[], size: number): Value | null {
  let left = size;
  let cost = 0;
  for (const level of side) {
    const taken = Math.min(left, level.size);
    cost += taken * level.price;
    left -= taken;
    if (left <= 0) return finite(cost / size);
  }
  return null;
}
