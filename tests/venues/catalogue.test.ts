import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { API_NAMES, APIS, kindOf, VENUES, venueOf } from '../../venues/catalogue.ts';

/** Texts of this form. The generator does not support look-ahead, so a filter checks it afterwards. */
const tokens = (pattern: RegExp): fc.Arbitrary<string> =>
  fc
    .stringMatching(new RegExp(pattern.source.replace(/\(\?=[^)]*\)/g, '')))
    .filter((text) => pattern.test(text));

describe('the record of the venues', () => {
  test.each(VENUE_IDS)('an id in the form of %s belongs to it, and to no other venue', (venue) => {
    const { pattern } = VENUES[venue].token;
    fc.assert(
      fc.property(tokens(pattern), (tokenId) => {
        const fitting = VENUE_IDS.filter((other) => VENUES[other].token.pattern.test(tokenId));
        expect(fitting).toEqual([venue]);
        expect([venueOf(tokenId), kindOf(tokenId)]).toEqual([venue, VENUES[venue].kind]);
      }),
    );
  });

  test('no two feeds share a lock, no two hosts a name, a setting or a path in the simulator', () => {
    const locks = VENUE_IDS.map((venue) => VENUES[venue].feedLock);
    expect(new Set(locks).size).toBe(VENUE_IDS.length);
    for (const field of ['name', 'setting', 'url', 'simulatorPath'] as const) {
      expect(new Set(API_NAMES.map((api) => APIS[api][field])).size, field).toBe(API_NAMES.length);
    }
  });
});
