import type { Outputs } from '../../api/trpc.ts';

type VenueAView = Outputs['marketData']['venueA'];
export type Market = Extract<VenueAView, { kind: 'market' }>['market'];

/** A market in the address: `venue-a:TICKER` or `venue-b:TOKEN`. */
export const refOf = ({ venue, ref }: Pick<Market, 'venue' | 'ref'>): string => `${venue}:${ref}`;

export type MarketRef = { venue: 'venue-a' | 'venue-b'; ref: string };

export function readRef(text: string | undefined): MarketRef | null {
  const parts = /^(venue-a|venue-b):(.+)$/.exec(text ?? '');
  if (!parts?.[2]) return null;
  return { venue: parts[1] === 'venue-a' ? 'venue-a' : 'venue-b', ref: parts[2] };
}
