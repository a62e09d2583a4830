import { defineDriver } from '../define-driver.ts';
import type { Markets, VenueA } from '../reads.ts';
import { kalshiAccess } from './credentials.ts';
import { Kalshi } from './index.ts';

/** Used if a list is unavailable. */
const EXAMPLE = 'KXELONMARS-99';

export const kalshi = defineDriver({
  id: 'venue-a',
  open: ({ upstream, shared }) =>
    new Kalshi({ api: upstream('kalshi'), search: upstream('kalshiSearch'), ...shared }),
  access: kalshiAccess,
  check: async (venueA: VenueA & Markets, probe) => {
    const ticker = (await probe('top', () => venueA.top(3)))?.markets[0]?.ticker ?? EXAMPLE;
    await probe('search', () => venueA.search('fed', 3));
    await probe('ticker', () => venueA.market(ticker));
    await probe('ref, interval', () => venueA.history(ticker, '1w'));
    return `${ticker}:yes`;
  },
});
