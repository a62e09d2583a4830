import { z } from 'zod';
import type { MarketData, VenueBView as View } from '../../venues/port.ts';
import { VenueBView } from '../../venues/views.ts';
import { route } from '../route.ts';
import { parsedSync, queryInteger, singleLineText } from '../schemas.ts';
import { VENUE_B_MARKET_EXAMPLE } from './examples.ts';
import { listingFields, soleSelector } from './selector.ts';

const TOP_DEFAULT = 20;
const LIMIT_DEFAULT = 20;
const token = z.string().regex(/^[1-9][0-9]{4,77}$/, { error: 'is not a token id: 5 to 78 decimal digits' });
const slug = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, {
  error: 'is not a slug: 1 to 200 letters, digits, dots, dashes and underscores',
});

const Input = z.strictObject({
  search: singleLineText(1, 200).optional().meta({ description: 'Text search.' }),
  slug: slug.optional().meta({ description: 'Event or market slug to fetch directly.' }),
  token: token.optional().meta({ description: 'Token ID to resolve to its market.' }),
  raw: token.optional().meta({ description: 'Token ID to resolve to its raw market record.' }),
  book: token.optional().meta({ description: 'Token ID to fetch order-book levels.' }),
  trending: queryInteger(1, 50)
    .optional()
    .meta({ description: 'Number of trending events, by 24-hour volume, grouped markets preserved.' }),
  top: queryInteger(1, 50).optional().meta({ description: 'Number of top markets to return.' }),
  ref: token.optional().meta({ description: 'Token ID for price-history lookup.' }),
  ...listingFields,
  expand: z
    .enum(['markets'])
    .optional()
    .meta({ description: 'Expand multi-market events into one row per binary market.' }),
});

export const venueB = route({
  method: 'GET',
  path: '/api/venue-b',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'Venue B search and lookup',
  description:
    'Search by text, slug, token or trending volume: market search, market detail, price history or order book. One selector; none means `top=20`. Rules are on a market or event requested by name, null in lists.',
  alsoAnswers: [404],
  example: {
    query: { top: 1 },
    response: {
      kind: 'top',
      markets: [VENUE_B_MARKET_EXAMPLE],
      source: 'simulator',
      asOf: '2026-11-20T09:05:00.000Z',
    },
  },
  input: Input,
  output: parsedSync(VenueBView.meta({ id: 'VenueB' })),
  resolve: ({ ctx, input }) => answer(ctx.market, input),
});

const SELECTORS = ['search', 'slug', 'token', 'raw', 'book', 'trending', 'top', 'ref'] as const;

async function answer(market: MarketData, input: z.output<typeof Input>): Promise<View> {
  const venueB = market.at('venue-b');
  const { limit = LIMIT_DEFAULT, interval = '1w', expand } = input;
  const selected = soleSelector(input, SELECTORS);
  switch (selected?.name) {
    case 'search':
      return expand ? venueB.search(selected.value, limit, expand) : venueB.search(selected.value, limit);
    case 'slug':
      return expand ? venueB.slug(selected.value, expand) : venueB.slug(selected.value);
    case 'trending':
      return expand ? venueB.trending(selected.value, expand) : venueB.trending(selected.value);
    case 'token':
      return venueB.token(selected.value);
    case 'raw':
      return venueB.raw(selected.value);
    case 'book':
      return venueB.book(selected.value);
    case 'ref':
      return venueB.history(selected.value, interval);
    case 'top':
      return venueB.top(selected.value);
    case undefined:
      return venueB.top(TOP_DEFAULT);
  }
}
