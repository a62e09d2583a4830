/** Payloads of each type of message on the stream of values: the one table behind sender, API description and package. */
import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import { MARKET_STATUSES } from '../../db/vocabulary.ts';
import { anyJson, decimalNumber, timestamp } from '../schemas.ts';

const tokenId = z.string().meta({ description: 'The instrument.' });
const decimal = (description: string) => decimalNumber.meta({ description });
const orNull = (description: string) => decimalNumber.nullable().meta({ description });
const asOf = timestamp.meta({ description: 'When the venue answered, by the clock of the market data.' });
const levels = (side: string) =>
  z
    .array(z.object({ price: decimal('Price.'), size: decimal('Quantity at this price.') }))
    .meta({ description: `${side}, best first, at most 20.` });

export const VALUE_PAYLOADS = {
  price: z.object({
    tokenId,
    bid: orNull('Best bid; null if there is none or it is not known.'),
    bidSize: orNull('Quantity at the best bid.'),
    ask: orNull('Best ask; null if there is none or it is not known.'),
    askSize: orNull('Quantity at the best ask.'),
    isTopOfBookKnown: z.boolean().meta({ description: 'False if bid and ask say nothing about the market.' }),
    last: orNull('Price of the last trade, if the venue states it.'),
    volume24h: orNull('Volume of 24 hours: contracts at venue A, else USD.'),
    change24h: orNull('Relative change in 24 hours, if the venue states it: 0.05 is +5 %.'),
    marketStatus: z.enum(MARKET_STATUSES),
    asOf,
  }),
  book: z.object({ tokenId, bids: levels('Bids'), asks: levels('Asks'), asOf }),
  nodes: z.object({
    blueprintId: z.string().meta({ description: 'The blueprint.' }),
    status: z.enum(BLUEPRINT_STATUSES),
    deploymentId: z.string().nullable().meta({ description: 'The latest deployment; null if none.' }),
    nodeStates: anyJson.meta({ description: 'State per node of the latest deployment.' }),
  }),
  unavailable: z.object({
    of: z.enum(['price', 'book', 'nodes']).meta({ description: 'The value that is missing.' }),
    id: z.string().meta({ description: 'Its instrument or blueprint.' }),
    code: z.enum(['not_found', 'upstream_unavailable']).meta({
      description: '`not_found`: unknown or deleted. `upstream_unavailable`: the venue does not respond.',
    }),
  }),
} as const satisfies Record<string, z.ZodObject>;

export type ValueType = keyof typeof VALUE_PAYLOADS;

/** When each message is sent, and the scope that a key needs for it. */
export const VALUES = {
  price: { scope: 'market_data:read', tells: 'the best prices of an instrument changed' },
  book: { scope: 'market_data:read', tells: 'the order book of an instrument changed' },
  nodes: { scope: 'blueprints:read', tells: 'node values or the status of a blueprint changed' },
  unavailable: { scope: null, tells: 'a value cannot be read now; its next value ends this' },
} as const satisfies Record<ValueType, { scope: string | null; tells: string }>;

export const VALUE_TYPES = Object.keys(VALUES) as ValueType[];
