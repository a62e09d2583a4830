/** Credentials for the check: those of a demo account from a file, and others that no venue knows. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Venue } from '../../../db/vocabulary.ts';
import { createDemoAccount } from '../../../venues/demo-accounts.ts';
import { ACCESS } from '../../../venues/trading-access.ts';

export type GivenCredentials = Readonly<Partial<Record<Venue, Buffer>>>;

const bytesOf = (credentials: unknown): Buffer => Buffer.from(JSON.stringify(credentials));

/**
 * Reads credentials from a file of settings: `VENUE_A_KEY_ID` and `VENUE_A_PRIVATE_KEY` (a PEM between double quotes),
 * `CRYPTO_API_KEY` and `CRYPTO_SECRET`. The message of an error repeats nothing of the file.
 */
export function credentialsIn(file: string): GivenCredentials {
  const env = parseEnv(readFileSync(file, 'utf8'));
  const named = {
    'venue-a': { keyId: env['VENUE_A_KEY_ID'], privateKey: env['VENUE_A_PRIVATE_KEY'] },
    crypto: { apiKey: env['CRYPTO_API_KEY'], secret: env['CRYPTO_SECRET'] },
  };
  const read = Object.entries(named).flatMap(([name, sent]) => {
    const venue = name as keyof typeof named;
    if (Object.values(sent).every((value) => value === undefined)) return [];
    const known = ACCESS[venue].read('demo', sent);
    if (known.kind === 'refused') throw new RangeError(`The credentials of ${venue} ${known.message}.`);
    return [[venue, known.plain] as const];
  });
  if (read.length === 0) {
    throw new RangeError(
      `${file} names no credentials: VENUE_A_KEY_ID and VENUE_A_PRIVATE_KEY, or CRYPTO_API_KEY and CRYPTO_SECRET.`,
    );
  }
  return Object.fromEntries(read);
}

/** Returns credentials in the venue's form that no venue knows. */
export const unknownCredentials = (venue: Venue): Buffer => bytesOf(createDemoAccount(venue).credentials);
