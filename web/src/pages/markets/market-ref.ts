import type { Outputs } from '../../api/trpc.ts';
import { type VenueOfKind, venuesOfKind } from '../../format/trading/venue.ts';

type VenueAView = Outputs['marketData']['venueA'];
export type Market = Extract<VenueAView, { kind: 'market' }>['market'];

/** A market in the address: `venue-a:TICKER` or `venue-b:TOKEN`. */
export const marketRefOf = ({ venue, ref }: Pick<Market, 'venue' | 'ref'>): string => `${venue}:${ref}`;

export type MarketRef = { venue: VenueOfKind<'outcome'>; ref: string };

export function readMarketRef(text = ''): MarketRef | null {
  const end = text.indexOf(':');
  const venue = venuesOfKind('outcome').find((name) => name === text.slice(0, Math.max(end, 0)));
  const ref = text.slice(end + 1);
  return venue && ref ? { venue, ref } : null;
}
