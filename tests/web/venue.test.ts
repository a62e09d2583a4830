import { expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { VENUES } from '../../venues/port.ts';
import { priceAtNamed, VENUE_NAMES, venueTitle } from '../../web/src/format/trading/venue.ts';

test('the console knows every venue, in the order and by the title of the service', () => {
  expect(VENUE_NAMES).toEqual([...VENUE_IDS]);
  expect(VENUE_NAMES.map(venueTitle)).toEqual(VENUE_IDS.map((venue) => VENUES[venue].title));
});

test('a price at an unknown venue is not shown', () => {
  expect(priceAtNamed('crypto', 2)).toBe('$2.00');
  expect(priceAtNamed('nowhere', 2)).toBe('—');
});
