/** Columns of the table of orders: where each is read, its schema, and its title and form in the console. */
import { z } from 'zod';
import { ORDER_STATUSES, ORDER_TYPES } from '../../../../db/entities/order.ts';
import { SIDES, VENUE_IDS } from '../../../../db/vocabulary.ts';
import { timestamp } from '../../../platform/clock/timestamp-text.ts';
import { decimalNumber } from '../../../platform/decimal/decimal-number.ts';

export type OrderColumn = {
  /** A column of `trade_order o`, `instrument i` or `blueprint b`; null: computed. */
  readonly from: `${'o' | 'i' | 'b'}.${string}` | null;
  readonly schema: z.ZodType;
  /** Absent: not in the table of the console. */
  readonly title?: string;
  readonly form?: 'amount' | 'price' | 'usd';
  /** Not in its CSV. */
  readonly isInternal?: true;
};

export const ORDER_COLUMNS = {
  createdAt: { from: 'o.created_at', schema: timestamp, title: 'Time' },
  id: { from: 'o.id', schema: z.uuid(), title: 'Order' },
  status: { from: null, schema: z.enum(ORDER_STATUSES), title: 'Status' },
  side: { from: 'o.side', schema: z.enum(SIDES), title: 'Side' },
  type: { from: 'o.type', schema: z.enum(ORDER_TYPES) },
  venue: { from: 'o.venue', schema: z.enum(VENUE_IDS) },
  tokenId: { from: 'o.token_id', schema: z.string() },
  title: { from: 'i.title', schema: z.string(), title: 'Instrument' },
  amount: { from: 'o.amount', schema: decimalNumber, title: 'Amount', form: 'amount' },
  filledAmount: { from: 'o.filled_amount', schema: decimalNumber, title: 'Filled', form: 'amount' },
  limitPrice: { from: 'o.limit_price', schema: decimalNumber, title: 'Limit', form: 'price' },
  averagePrice: { from: null, schema: z.number().nullable(), title: 'Average', form: 'price' },
  size: { from: 'o.size', schema: decimalNumber, title: 'Notional', form: 'usd' },
  blueprintId: { from: 'o.blueprint_id', schema: z.uuid() },
  blueprintName: { from: 'b.name', schema: z.string(), title: 'Strategy' },
  reason: { from: 'o.reason', schema: z.string().nullable() },
  /** The node that raised it; null for a person or key. */
  nodeId: { from: 'o.node_id', schema: z.string().nullable(), isInternal: true },
  /** Its label in its release; null without one. */
  nodeLabel: { from: null, schema: z.string().nullable(), isInternal: true },
  expiresAt: { from: 'o.expires_at', schema: timestamp.nullable(), isInternal: true },
  /** Whether it can still trade, or waits for approval. */
  isOpen: { from: null, schema: z.boolean(), isInternal: true },
} as const satisfies Record<string, OrderColumn>;

type Columns = typeof ORDER_COLUMNS;

export const ORDER_SCHEMAS = Object.fromEntries(
  Object.entries(ORDER_COLUMNS).map(([name, { schema }]) => [name, schema]),
) as { readonly [Name in keyof Columns]: Columns[Name]['schema'] };

/** The columns that are read, as the pool returns them. */
export type OrderRead = {
  [Name in keyof Columns as Columns[Name]['from'] extends null ? never : Name]: z.input<
    Columns[Name]['schema']
  >;
};
