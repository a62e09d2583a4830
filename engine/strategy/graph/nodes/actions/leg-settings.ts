/** Settings of a leg: its basket, and the bounds of its undo. */
import { z } from 'zod';
import { instrument, seconds } from '../shared-settings.ts';

export const legSettings = z.strictObject({
  instrument: instrument(),
  basket: z
    .string()
    .min(1)
    .max(40)
    .meta({
      description:
        'The name of its basket: legs of this blueprint with the same name are traded together, two to eight of them, each of another instrument. A leg takes one instrument, not a list.',
      examples: ['pair'],
    }),
  side: z.enum(['buy', 'sell']).default('buy').meta({
    description: 'A sell never exceeds what this blueprint holds, and is of its whole amount or not at all.',
  }),
  maxLoss: z.number().positive().max(0.99).meta({
    description:
      'If a leg fails, the others are sold back at no less than this fraction below their limit price, or bought back at that much above it at most: 0.05 is 5 %.',
  }),
  fillWithinSec: seconds(
    5,
    3_600,
    'Seconds in which it must be filled; after them the basket is undone.',
  ).default(30),
  undoWithinSec: seconds(
    10,
    3_600,
    'Seconds in which its fills must be undone. After them it stops, and the blueprint goes into error.',
  ).default(300),
});

export type LegSettings = z.output<typeof legSettings>;
