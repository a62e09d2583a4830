import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONNECTION_STATES, VENUE_IDS } from '../../db/vocabulary.ts';
import { ACCESS } from '../../venues/trading-access.ts';
import { credentialFields, enteredCredentials } from '../../web/src/format/credential-fields.ts';
import { checkTitle, clockWords, stateEffect } from '../../web/src/format/trading/connection.ts';

const schemaOf = (venue: (typeof VENUE_IDS)[number]) =>
  z.toJSONSchema(z.object(ACCESS[venue].credentials.shape), { io: 'input' });

test('what is typed into the fields of a venue is what the venue takes', () => {
  const typed: Readonly<Record<string, string | boolean>> = {
    wallet: `0x${'ab'.repeat(20)}`,
    signatureType: '3',
    isSession: true,
  };
  for (const venue of VENUE_IDS) {
    const fields = credentialFields(schemaOf(venue));
    const entered = enteredCredentials(fields, (path) => typed[path] ?? 'a-secret');
    expect(ACCESS[venue].credentials.safeParse(entered).error, venue).toBeUndefined();
    expect(fields.filter(({ title, path }) => title === path)).toEqual([]);
  }
});

test('what opens an account is hidden while it is typed; what names a key is not', () => {
  const kinds = Object.fromEntries(
    VENUE_IDS.flatMap((venue) => credentialFields(schemaOf(venue)).map(({ path, kind }) => [path, kind])),
  );
  expect(kinds).toEqual({
    keyId: 'text',
    privateKey: 'secret',
    wallet: 'text',
    signatureType: 'choice',
    signingKey: 'secret',
    isSession: 'tick',
    'api.key': 'secret',
    'api.secret': 'secret',
    'api.passphrase': 'secret',
    apiKey: 'text',
    secret: 'secret',
  });
});

test('a state, a clock and a check read as words, also one that is new', () => {
  for (const state of CONNECTION_STATES) expect(stateEffect(state)).toMatch(/^[A-Z].*\.$/);
  expect([clockWords(null), clockWords(0), clockWords(41), clockWords(-3)]).toEqual([
    '—',
    'in step',
    '41 ms ahead',
    '3 ms behind',
  ]);
  expect(checkTitle('clock')).toBe('Clock');
  expect(checkTitle('something_new')).toBe('Something new');
});
