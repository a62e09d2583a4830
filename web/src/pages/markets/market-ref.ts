import type { Outputs } from '../../api/trpc.ts';
import { type VenueOfKind, venuesOfKind } from '../../format/trading/venue.ts';

type VenueAView = Outputs['marketData']['venueA'];
export type Market = Extract<VenueAView, { kind: 'market' }>['market'];

/** A market in the address: `venue-a:TICKER` or `venue-b:TOKEN`. */
export const marketRefOf = ({ venue, ref }: Pick<Market, 'venue' | 'ref'>): string => `${venue}:${ref}`;

export type MarketEvent = {
  readonly id: string;
  readonly title: string;
  readonly markets: readonly Market[];
};

/** Markets by their event, in the order in which its first one is listed; a market without one stands alone. */
export const eventsOf = (markets: readonly Market[]): MarketEvent[] =>
  [...Map.groupBy(markets, (market) => market.event?.id ?? market.id)].map(([id, all]) => ({
    id,
    title: all[0]?.event?.title ?? all[0]?.title ?? '',
    markets: all,
  }));

/** The question of a market, with the outcome of its event that it is about. */
export const titleOf = ({ label, title }: Market): string =>
  label && !title.includes(label) ? `${title} · ${label}` : title;

/** The name of a market within its event. */
export const nameInEvent = ({ label, title }: Market): string => label ?? title;

export type MarketRef = { venue: VenueOfKind<'outcome'>; ref: string };

export function readMarketRef(text = ''): MarketRef | null {
  const end = text.indexOf(':');
  const venue = venuesOfKind('outcome').find((name) => name === text.slice(0, Math.max(end, 0)));
  const ref = text.slice(end + 1);
  return venue && ref ? { venue, ref } : null;
}
