import { z } from 'zod';
import type { MarketData, VenueAView as View } from '../../venues/port.ts';
import { VenueAView } from '../../venues/views.ts';
import { route } from '../route.ts';
import { parsedSync, queryInteger, singleLineText } from '../schemas.ts';
import { MARKET_EXAMPLE } from './examples.ts';
import { listingFields, soleSelector } from './selector.ts';

const TOP_DEFAULT = 20;
const LIMIT_DEFAULT = 20;
const ticker = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, {
  error: 'is not a ticker: 1 to 100 letters, digits, dots and dashes',
});

const Input = z.strictObject({
  search: singleLineText(1, 200).optional().meta({ description: 'Text search across open markets.' }),
  top: queryInteger(1, 50).optional().meta({ description: 'Number of top markets to return.' }),
  ticker: ticker.optional().meta({ description: 'Single market lookup by ticker.' }),
  ref: ticker.optional().meta({ description: 'Ticker for price-history lookup.' }),
  ...listingFields,
});

export const venueA = route({
  method: 'GET',
  path: '/api/venue-a',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'Venue A search and lookup',
  description:
    'Market search, market detail or price history, by one of `search`, `top`, `ticker`, `ref`; none means `top=20`. Rules and fees are on a market requested by `ticker`, null in lists.',
  alsoAnswers: [404],
  example: {
    query: { ticker: 'KXFEDDECISION-26DEC-H0' },
    response: {
      kind: 'market',
      market: MARKET_EXAMPLE,
      source: 'simulator',
      asOf: '2026-11-20T09:05:00.000Z',
    },
  },
  input: Input,
  output: parsedSync(VenueAView.meta({ id: 'VenueA' })),
  resolve: ({ ctx, input }) => answer(ctx.market, input),
});

async function answer(market: MarketData, input: z.output<typeof Input>): Promise<View> {
  const venueA = market.at('venue-a');
  const { limit = LIMIT_DEFAULT, interval = '1w' } = input;
  const selected = soleSelector(input, ['search', 'top', 'ticker', 'ref']);
  switch (selected?.name) {
    case 'search':
      return venueA.search(selected.value, limit);
    case 'ticker':
      return venueA.market(selected.value);
    case 'ref':
      return venueA.history(selected.value, interval);
    case 'top':
      return venueA.top(selected.value);
    case undefined:
      return venueA.top(TOP_DEFAULT);
  }
}
