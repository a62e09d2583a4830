import { VENUES } from '../../generated/service.ts';
import { t } from '../../language/language.ts';
import { cents, coinPrice } from '../number.ts';

export type VenueName = keyof typeof VENUES;
export type InstrumentKind = (typeof VENUES)[VenueName]['kind'];

export const VENUE_NAMES = Object.keys(VENUES) as VenueName[];

/** The venues that list instruments of this kind. */
export type VenueOfKind<Kind extends InstrumentKind> = {
  [Name in VenueName]: (typeof VENUES)[Name]['kind'] extends Kind ? Name : never;
}[VenueName];

export const venuesOfKind = <Kind extends InstrumentKind>(kind: Kind): VenueOfKind<Kind>[] =>
  VENUE_NAMES.filter((name): name is VenueOfKind<Kind> => VENUES[name].kind === kind);

/** Whether a venue lists coins: priced by last trade, in dollars, with changes in percent. */
export const isCoinVenue = (venue: VenueName): venue is VenueOfKind<'spot'> => VENUES[venue].kind === 'spot';

export const venueTitle = (venue: VenueName): string => t(VENUES[venue].title);

/** The price format of each kind of instrument: a probability in cents, a coin in dollars. */
const WRITE = { outcome: cents, spot: coinPrice } as const satisfies Record<InstrumentKind, typeof cents>;

/** A price in the format of its venue. */
export const priceAt = (
  venue: VenueName,
  price: number | null | undefined,
  tickSize: number | null = null,
): string => WRITE[VENUES[venue].kind](price, tickSize);

/** A price at a venue named in text from elsewhere; a dash if there is no such venue. */
export function priceAtNamed(venue: string, price: number): string {
  const name = VENUE_NAMES.find((known) => known === venue);
  return name === undefined ? cents(null) : priceAt(name, price);
}
