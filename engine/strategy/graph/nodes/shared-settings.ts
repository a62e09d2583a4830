/** Settings shared by several node types, each described once. */

import { z } from 'zod';
import { kindOf, VENUES, venueOf } from '../../../../venues/port.ts';
import { isTimeZone } from '../../../platform/clock/time-zone.ts';
import { INTERVALS } from '../candles.ts';
import { quoted } from '../json.ts';

/** Lists how each venue writes the ids of its instruments, such as `TICKER:yes`. */
const tokenForms = (form: 'shape' | 'example'): string =>
  LIST.format(Object.values(VENUES).map(({ token }) => `${token.what} (${token[form]})`));
const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const instrument = () =>
  z
    .string()
    .max(200)
    .refine((id) => venueOf(id) !== null, {
      error: ({ input }) => `${quoted(input)} is no instrument. Write ${tokenForms('example')}.`,
    })
    .meta({
      description: `The instrument to read or trade, as its tokenId: ${tokenForms('shape')}.`,
      examples: ['KXBTC-26DEC31:yes', 'BTCUSDT'],
    });

export const symbol = () =>
  z
    .string()
    .max(20)
    .refine((id) => kindOf(id) === 'spot', {
      error: ({ input }) => `${quoted(input)} is no crypto symbol. Write it as the venue does: BTCUSDT.`,
    })
    .meta({ description: 'Crypto symbol as the venue writes it.', examples: ['BTCUSDT'] });

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'Write a time zone as in Europe/Zurich or UTC.' });

export const interval = () =>
  z
    .enum(INTERVALS)
    .meta({ description: 'Length of a candle; 1m is one minute, 1M one month. UTC boundaries.' });

/** Data older than this are not used: the value is unknown until new data arrive. */
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

export const sampleSec = z.int().min(5).max(86_400).optional().meta({
  description:
    'Only for an input that moves with every quote: it is sampled at this interval of seconds, and the samples stand for candles. After a gap of over five samples and a minute it starts again.',
});
