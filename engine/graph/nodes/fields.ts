/** Settings that several node types share, each described once. */

import { z } from 'zod';
import { venueOf } from '../../../venues/port.ts';
import { INTERVALS } from '../candles.ts';
import { quoted } from '../json.ts';

const INSTRUMENT_HELP =
  'What to look at or trade, as its tokenId: a venue A ticker with its side (TICKER:yes), a venue B token id (digits) or a crypto symbol (BTCUSDT).';

export const instrument = () =>
  z
    .string()
    .max(200)
    .refine((id) => venueOf(id) !== null, {
      error: ({ input }) =>
        `${quoted(input)} is no instrument. Write a venue A ticker with its side (KXBTC-26DEC31:yes), a venue B token id (digits only) or a crypto symbol (BTCUSDT).`,
    })
    .meta({ description: INSTRUMENT_HELP, examples: ['KXBTC-26DEC31:yes', 'BTCUSDT'] });

export const symbol = () =>
  z
    .string()
    .max(20)
    .refine((id) => venueOf(id) === 'crypto', {
      error: ({ input }) => `${quoted(input)} is no crypto symbol. Write it as the venue does: BTCUSDT.`,
    })
    .meta({ description: 'Crypto symbol as the venue writes it.', examples: ['BTCUSDT'] });

export const interval = () =>
  z
    .enum(INTERVALS)
    .meta({ description: 'Length of a candle; 1m is one minute, 1M one month. UTC boundaries.' });

/** Older data than this are not used: the value is unknown until fresh ones arrive. */
export const maxAgeSec = () =>
  z
    .number()
    .min(1)
    .max(86_400)
    .default(30)
    .meta({ description: 'Seconds after which a value counts as stale and nothing acts on it.' });

export const amount = (description: string) => z.number().positive().max(1e12).meta({ description });

export const fraction = (description: string) => z.number().positive().max(1).meta({ description });

export const seconds = (min: number, max: number, description: string) =>
  z.number().min(min).max(max).meta({ description });
