import { defineDriver } from '../define-driver.ts';
import type { Markets, VenueB } from '../reads.ts';
import { polymarketAccess } from './credentials.ts';
import { Polymarket } from './index.ts';

/** Used if a list is unavailable. */
const EXAMPLE = {
  token: '32338220190071351435772801779725302244575775216413325951443816017994629993401',
  slug: 'presidential-election-winner-2028',
};

export const polymarket = defineDriver({
  id: 'venue-b',
  open: ({ upstream, shared }) =>
    new Polymarket({
      gamma: upstream('gamma'),
      clob: upstream('clob'),
      data: upstream('polymarketData'),
      ...shared,
    }),
  access: polymarketAccess,
  check: async (venueB: VenueB & Markets, probe) => {
    const listed = (await probe('top', () => venueB.top(3)))?.markets[0];
    const token = listed?.outcomes[0]?.tokenId ?? EXAMPLE.token;
    await probe('search', () => venueB.search('fed', 3));
    await probe('slug', () => venueB.slug(listed?.event?.slug ?? EXAMPLE.slug));
    await probe('token', () => venueB.token(token));
    await probe('raw', () => venueB.raw(token));
    await probe('book', () => venueB.book(token));
    await probe('trending', () => venueB.trending(3));
    await probe('ref, interval', () => venueB.history(token, '1w'));
    await probe('ref, all', () => venueB.history(token, 'all'));
    return token;
  },
});
