/** Responses of the venue to the order of `order.ts`, and the rows beside it. */
import type { FillPartRow, PositionRow } from '../../../../engine/books/accounting/booking.ts';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  type AllocationRow,
  planReport,
  type ReportFacts,
  type ReportPlan,
} from '../../../../engine/trading/orders/execution/plan-report.ts';
import type { BookedTrade } from '../../../../engine/trading/orders/execution/reverse-trade.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import type { VenueFill, VenueOrder } from '../../../../venues/broker.ts';
import { NOW } from './market.ts';
import { at, order } from './order.ts';

export const position = (id: string, amount: string, terms: Partial<PositionRow> = {}): PositionRow => ({
  account_id: 'a',
  id,
  mode: 'paper',
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  blueprint_id: 'b-1',
  amount,
  total_cost: exact(amount).times('0.4').toFixed(),
  realized_pnl: '0',
  fees: '0',
  fill_count: 1,
  opened_at: at(-9),
  updated_at: at(-9),
  ...terms,
});

export const fill = (tradeId: string, amount: string, terms: Partial<VenueFill> = {}): VenueFill => ({
  tradeId,
  amount,
  price: '0.5',
  fee: '0',
  feeAsset: 'USD',
  feeAmount: '0',
  liquidity: 'maker',
  state: 'final',
  at: new Date(at(-5)),
  ...terms,
});

export const trade = (id: string, amount: string, terms: Partial<BookedTrade> = {}): BookedTrade => ({
  id: `fill ${id}`,
  kind: 'trade',
  venue_trade_id: id,
  amount,
  price: '0.5',
  fee: '0',
  fee_asset: 'USD',
  fee_amount: '0',
  liquidity: 'maker',
  ...terms,
});

export const part = (trade: string, position_id: string, amount: string): FillPartRow => ({
  account_id: 'a',
  fill_id: `fill ${trade}`,
  position_id,
  number: 1,
  amount,
  cost: '0',
  fee: '0',
  realized_pnl: '0',
});

export const reserved = (position_id: string, amount: string, filled_amount = '0'): AllocationRow => ({
  position_id,
  amount,
  filled_amount,
});

/** Applies a response to an order of 10; the venue reports it as open unless specified otherwise. */
export function answer(
  terms: Partial<OrderRow>,
  report: Partial<VenueOrder>,
  facts: Partial<Omit<ReportFacts, 'order'>> = {},
): ReportPlan {
  let ids = 0;
  return planReport(
    { order: order(terms), fills: [], parts: [], allocations: [], positions: [], ...facts },
    {
      venueOrderId: null,
      status: 'open',
      filledAmount: null,
      fills: [],
      reasonCode: null,
      reason: null,
      ...report,
    },
    { accountId: 'a', mode: 'paper', at: NOW, newId: () => `id-${++ids}`, actor: 'venue' },
  );
}

export const NOTHING = {
  fills: [],
  changes: [],
  venueOrderId: null,
  audits: [],
  events: [],
  isLate: false,
  lacksFills: false,
};
