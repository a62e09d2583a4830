import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../../db/entities/order.ts';
import { checkLiveReceipt } from '../../../engine/ledger/orders/live-receipt.ts';
import { RebuiltBooks } from '../../../engine/ledger/rebuilt-books.ts';
import type { FillRow, LedgerOrderRow } from '../../../engine/ledger/rows.ts';
import type { LiveOrderInputs } from '../../../engine/risk/risk-inputs.ts';
import { firstOf, LEDGER, receiptOf } from './ledger.ts';

const DECIDED_AT = '2026-11-20T12:00:00.000Z';
const YESTERDAY = '2026-11-19T23:59:59.999Z';
const RECEIPT = receiptOf(firstOf(LEDGER.orders));
const YES = 'KXTEST:yes';
const NO = 'KXTEST:no';

let books: RebuiltBooks;
let differences: string[];
const report = (_subject: string, id: string, field: string, expected: string, actual: string) => {
  differences.push(`${id}, ${field}: ${expected}, not ${actual}`);
};
beforeEach(() => {
  differences = [];
  const positions = [
    { ...firstOf(LEDGER.positions), id: 'yes', token_id: YES },
    { ...firstOf(LEDGER.positions), id: 'no', token_id: NO },
    { ...firstOf(LEDGER.positions), id: 'coin', token_id: 'BTCUSDT' },
  ];
  books = new RebuiltBooks({ deposits: [], positions }, report);
});

/** An order of ten at 0.5 by connection 1, of yes at venue A. */
const row = (id: string, terms: Partial<LedgerOrderRow> = {}): LedgerOrderRow => ({
  ...firstOf(LEDGER.orders),
  id,
  token_id: YES,
  venue: 'venue-a',
  connection_id: 'c-1',
  side: 'buy',
  amount: '10',
  limit_price: '0.5',
  ...terms,
});
function opened(id: string, terms: Partial<LedgerOrderRow> = {}, status: OrderStatus = 'open') {
  const order = books.open({ row: row(id, terms), allocations: [], entries: 1 });
  const step = { ...firstOf(LEDGER.steps), order_id: id, to_status: status, expires_at: null };
  books.step(order, step);
  return order;
}
/** A fill of two at 0.4 of an order of that day. */
function filled(orderId: string, positionId: string, terms: Partial<FillRow> = {}) {
  const fill: FillRow = {
    ...firstOf(LEDGER.fills),
    id: `fill of ${orderId}`,
    kind: 'trade',
    order_id: orderId,
    token_id: YES,
    venue: 'venue-a',
    connection_id: 'c-1',
    side: 'buy',
    amount: '2',
    price: '0.4',
    fee: '0',
    fee_asset: 'USD',
    fee_amount: '0',
    applied_at: DECIDED_AT,
    ...terms,
  };
  const [part] = LEDGER.fillParts;
  const [cash] = LEDGER.cashEntries;
  if (part === undefined || cash === undefined) throw new Error('The recorded ledger has fills.');
  const cost = String(Number(fill.amount) * Number(fill.price));
  books.fill({
    fill,
    parts: [{ ...part, position_id: positionId, amount: fill.amount, cost, fee: '0', realized_pnl: '0' }],
    cash: [{ ...cash, amount: `-${cost}` }],
  });
}

/** Returns the differences on the receipt of another order that is decided now. */
function saidOf(
  live: LiveOrderInputs | undefined,
  terms: Partial<LedgerOrderRow> = {},
  mode: 'live' | 'paper' = 'live',
) {
  const decided = books.open({ row: row('judged', terms), allocations: [], entries: 1 });
  const { live: _, ...paper } = RECEIPT;
  const receipt = { ...paper, decidedAt: DECIDED_AT, ...(live !== undefined && { live }) };
  checkLiveReceipt(mode, books, decided, receipt, report);
  return differences;
}
const NOTHING: LiveOrderInputs = { service: {}, spentToday: '0' };
const CONNECTION = { id: 'c-1', spentToday: '0', openNotional: '0' };

describe('the receipt of a live order', () => {
  test('has facts of live mode there and nowhere else', () => {
    expect(saidOf(undefined)).toEqual(['judged, real money on the receipt: something, not nothing']);
    differences = [];
    expect(saidOf(NOTHING, {}, 'paper')).toEqual([
      'judged, real money on the receipt: nothing, not something',
    ]);
    differences = [];
    expect(saidOf(undefined, {}, 'paper')).toEqual([]);
    expect(saidOf(NOTHING)).toEqual([]);
  });

  test('sums the day: amounts paid, and the open cost of live buys at their limits, of every connection', () => {
    opened('half');
    filled('half', 'yes');
    opened('elsewhere', {
      connection_id: 'c-2',
      token_id: 'BTCUSDT',
      venue: 'crypto',
      limit_price: '3',
      amount: '1',
    });
    opened('sell', { side: 'sell' });
    opened('over', {}, 'canceled');
    // 2 × 0.4 paid, 8 × 0.5 to come, 1 × 3 to come.
    expect(saidOf({ ...NOTHING, spentToday: '7.8' })).toEqual([]);
    expect(saidOf(NOTHING)).toEqual(['judged, spentToday on the receipt: 7.8, not 0']);
  });

  test('leaves out payments of other days', () => {
    opened('old');
    filled('old', 'yes', { amount: '10', applied_at: YESTERDAY });
    expect(saidOf(NOTHING)).toEqual([]);
  });

  test('leaves out the order itself', () => {
    opened('judged');
    expect(saidOf(NOTHING)).toEqual([]);
  });

  test('sums of a connection only what went through it', () => {
    opened('mine');
    filled('mine', 'yes');
    opened('other', { connection_id: 'c-2', limit_price: '0.3' });
    filled('other', 'coin', { token_id: 'BTCUSDT', connection_id: 'c-2', amount: '1', price: '0.1' });
    // c-1: 0.8 and 4; c-2: 0.1 and 9 × 0.3.
    const live = (spentToday: string, openNotional = '7.5'): LiveOrderInputs => ({
      service: {},
      spentToday: '7.6',
      connection: { ...CONNECTION, spentToday, openNotional },
    });
    expect(saidOf(live('4.8'))).toEqual([]);
    expect(saidOf(live('7.6'))).toEqual([
      'judged, spentToday of the connection on the receipt: 4.8, not 7.6',
    ]);
  });

  test('sums the exposure at the venue: holdings at cost, and the open cost of live buys there', () => {
    opened('here');
    filled('here', 'yes', { applied_at: YESTERDAY });
    opened('there', { token_id: 'BTCUSDT', venue: 'crypto', limit_price: '3', amount: '1' });
    filled('there', 'coin', { token_id: 'BTCUSDT', amount: '0.5', price: '2', applied_at: YESTERDAY });
    const openAt = (openNotional: string): LiveOrderInputs => ({
      service: {},
      spentToday: '5.5',
      connection: { ...CONNECTION, spentToday: '5.5', openNotional },
    });
    // 2 × 0.4 held and 8 × 0.5 to come; coins 0.5 × 2 and 0.5 × 3.
    expect(saidOf(openAt('4.8'))).toEqual([]);
    expect(saidOf(openAt('2.5'), { venue: 'crypto', token_id: 'BTCUSDT' })).toEqual([]);
    expect(saidOf(openAt('0'))).toEqual([
      'judged, openNotional of the connection on the receipt: 4.8, not 0',
    ]);
  });

  test('counts the other side of the market, held or being bought, where it is stated', () => {
    opened('no', { token_id: NO });
    filled('no', 'no', { token_id: NO, applied_at: YESTERDAY });
    opened('same side');
    const otherSide = (units: string, spentToday: string): LiveOrderInputs => ({
      service: {},
      spentToday,
      otherSide: units,
    });
    expect(saidOf(otherSide('10', '9'))).toEqual([]);
    expect(saidOf(otherSide('2', '9'))).toEqual(['judged, otherSide on the receipt: 10, not 2']);
    differences = [];
    expect(saidOf(otherSide('0', '9'), { venue: 'crypto', token_id: 'BTCUSDT' })).toEqual([]);
  });

  test('agrees to the decimals of the ledger', () => {
    opened('third', { amount: '0.3333333333333', limit_price: '1' });
    expect(saidOf({ ...NOTHING, spentToday: '0.333333333333' })).toEqual([]);
  });
});
