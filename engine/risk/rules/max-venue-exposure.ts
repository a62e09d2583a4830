import { type Venue, venueOf } from '../../../venues/port.ts';
import { type Exact, sumOf, ZERO } from '../../platform/decimal.ts';
import { largestOf, stakeOf } from '../exposure.ts';
import type { Aggregates } from '../risk-inputs.ts';
import { atMost, defineRule } from '../rule.ts';

export const maxVenueExposure = defineRule({
  name: 'maxVenueExposure',
  title: 'Exposure per venue',
  usageTitle: 'Largest at stake at one venue',
  unit: 'USD',
  column: 'max_venue_exposure',
  default: null,
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'At stake at one venue: what is held at cost, and what buys there may still cost.',
  description:
    'USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off.',
  evaluate: ({ limit, account, intent }) =>
    atMost(limit, (byVenue(account).get(venueOf(intent.tokenId)) ?? ZERO).plus(stakeOf(intent))),
  usage: ({ account }) => ({ used: largestOf(byVenue(account)) }),
  sentence: (limit, actual) =>
    `maxVenueExposure is ${limit} USD, with this order ${actual} USD would be at stake at its venue.`,
});

/** Sums USD at stake by venue; the form of a `tokenId` names the venue. */
function byVenue({ exposures }: Aggregates): ReadonlyMap<Venue | null, Exact> {
  const venues = Map.groupBy(exposures, ([tokenId]) => venueOf(tokenId));
  return new Map([...venues].map(([venue, own]) => [venue, sumOf(own.map(([, atStake]) => atStake))]));
}
