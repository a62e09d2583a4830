/**
 * Bodies of venue B's trading API. Written here, by the shapes in the official clients and in others' recordings:
 * github.com/Polymarket/ts-sdk (`packages/bindings/src/clob`), docs.polymarket.com (2026-08). The recordings are those of
 * github.com/nautechsystems/nautilus_trader for its own parsers (2026-07).
 */
import { MARKET, OTHER_TOKEN, TOKEN, WALLET } from './polymarket-trading.ts';

export type Body = Record<string, unknown>;

export const STRANGER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const OTHER_ID = `0x${'be'.repeat(32)}`;
const OWNER = '00000000-0000-0000-0000-000000000001';

export const acceptedOf = (orderID: string, changes: Body = {}): Body => ({
  success: true,
  errorMsg: '',
  orderID,
  status: 'live',
  makingAmount: '',
  takingAmount: '',
  tradeIDs: [],
  transactionsHashes: [],
  ...changes,
});

export const refusedWith = (errorMsg: string, changes: Body = {}): Body =>
  acceptedOf('', { errorMsg, status: '', ...changes });

export const orderRecord = (id: string, changes: Body = {}): Body => ({
  associate_trades: [],
  id,
  status: 'LIVE',
  market: MARKET,
  original_size: '10',
  outcome: 'Yes',
  maker_address: WALLET.address,
  owner: OWNER,
  price: '0.6',
  side: 'BUY',
  size_matched: '0',
  asset_id: TOKEN,
  expiration: '0',
  order_type: 'GTC',
  created_at: 1_795_341_600,
  ...changes,
});

/** An order among the makers of a trade. */
export const makerOf = (changes: Body = {}): Body => ({
  order_id: OTHER_ID,
  owner: '00000000-0000-0000-0000-000000000002',
  maker_address: STRANGER,
  matched_amount: '10',
  price: '0.6',
  fee_rate_bps: '0',
  asset_id: TOKEN,
  outcome: 'Yes',
  side: 'SELL',
  ...changes,
});

/** A trade in which the order `id` took. */
export const takerTrade = (id: string, changes: Body = {}): Body => ({
  id: 'f6b2c1de-2222-4000-8000-000000000001',
  taker_order_id: id,
  market: MARKET,
  asset_id: TOKEN,
  side: 'BUY',
  size: '10',
  fee_rate_bps: '0',
  price: '0.6',
  status: 'MATCHED',
  match_time: '1795341601',
  last_update: '1795341601',
  outcome: 'Yes',
  bucket_index: 0,
  owner: OWNER,
  maker_address: WALLET.address,
  transaction_hash: '',
  maker_orders: [makerOf()],
  trader_side: 'TAKER',
  ...changes,
});

/** A trade of the order `id`, a buy of `TOKEN` at 0.6. Its taker bought the other outcome at 0.4. */
export const mintTrade = (id: string, changes: Body = {}): Body => ({
  ...takerTrade(OTHER_ID),
  asset_id: OTHER_TOKEN,
  outcome: 'No',
  price: '0.4',
  maker_address: STRANGER,
  trader_side: 'MAKER',
  maker_orders: [makerOf({ order_id: id, maker_address: WALLET.address, side: 'BUY' })],
  ...changes,
});

export const pageOf = (data: readonly unknown[], next = 'LTE='): Body => ({
  data,
  next_cursor: next,
  limit: 100,
  count: data.length,
});
