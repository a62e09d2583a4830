/** The venues. Lists, types, addresses, limits, the feeds' locks, settings, help texts and the console's names derive from here. */
import type { HistoryAvailability, HistorySeriesKey } from './history-source.ts';
import * as records from './records/index.ts';
import type { Api } from './records/venue-record.ts';
import type { InstrumentKind } from './vocabulary.ts';

type AnyVenue = (typeof records)[keyof typeof records];
export type Venue = AnyVenue['id'];
type Venues = { readonly [V in Venue]: Extract<AnyVenue, { id: V }> };

const LIST: readonly AnyVenue[] = Object.values(records).sort((a, b) => a.feedLock - b.feedLock);

/** Every venue, in the order of lists. */
export const VENUE_IDS: readonly Venue[] = LIST.map(({ id }) => id);

export const VENUES = Object.fromEntries(LIST.map((venue) => [venue.id, venue])) as Venues;

/** The venues that list instruments of this kind. */
export type VenueOfKind<Kind extends InstrumentKind> = {
  [V in Venue]: Venues[V]['kind'] extends Kind ? V : never;
}[Venue];

export type ApiName = { [V in Venue]: keyof Venues[V]['apis'] }[Venue];

/** The settings that replace URLs. */
export type UrlSetting = {
  [V in Venue]: {
    [A in keyof Venues[V]['apis']]: Venues[V]['apis'][A] extends { setting: infer S } ? S : never;
  }[keyof Venues[V]['apis']];
}[Venue];

/** Every host of every venue. */
export const APIS = Object.assign({}, ...VENUE_IDS.map((venue) => VENUES[venue].apis)) as Record<
  ApiName,
  Api & { readonly setting: UrlSetting }
>;

export const API_NAMES = Object.keys(APIS) as ApiName[];

export const isOfKind = <Kind extends InstrumentKind>(venue: Venue, kind: Kind): venue is VenueOfKind<Kind> =>
  VENUES[venue].kind === kind;

export const venuesOfKind = <Kind extends InstrumentKind>(kind: Kind): VenueOfKind<Kind>[] =>
  VENUE_IDS.filter((venue) => isOfKind(venue, kind));

/** The venue of a `tokenId` by its form alone, or null if no form matches. Pure. */
export const venueOf = (tokenId: string): Venue | null =>
  VENUE_IDS.find((venue) => VENUES[venue].token.pattern.test(tokenId)) ?? null;

/** The kind of a `tokenId` by its form alone, or null. The record of a known instrument states its kind itself. Pure. */
export function kindOf(tokenId: string): InstrumentKind | null {
  const venue = venueOf(tokenId);
  return venue && VENUES[venue].kind;
}

/** The other side of the market at a venue that nets both at once, so that no account holds both; else null. Pure. */
export function otherSideOf(venue: Venue, tokenId: string): string | null {
  if (!VENUES[venue].clearing.netsOutcomes) return null;
  const [market, outcome] = tokenId.split(':');
  return `${market}:${outcome === 'yes' ? 'no' : 'yes'}`;
}

/** Venues that net yes and no of a market: live buys of the second side are refused there. */
export const NETTING_VENUES: readonly Venue[] = VENUE_IDS.filter(
  (venue) => VENUES[venue].clearing.netsOutcomes,
);

/** The series that a venue has of every instrument, finest first. */
export const pastOf = (venue: Venue): readonly HistoryAvailability[] => VENUES[venue].past;

/** A venue's terms of a series, or null if it has no such series. */
export const pastTermsOf = (
  venue: Venue,
  { kind, resolutionMs }: Pick<HistorySeriesKey, 'kind' | 'resolutionMs'>,
): HistoryAvailability | null =>
  pastOf(venue).find((terms) => terms.kind === kind && terms.resolutionMs === resolutionMs) ?? null;

/** The venue and kind fields of an instrument. */
export const listedAt = (venue: Venue): { venue: Venue; kind: InstrumentKind } => ({
  venue,
  kind: VENUES[venue].kind,
});
