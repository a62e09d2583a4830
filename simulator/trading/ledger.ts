/** The simulator's own record, to compare books with. Decimals are plain strings, times epoch ms of the world. */
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { type Fill, type Order, stateOf } from './orders.ts';

const orderRecord = (order: Order) => {
  const { status, filled, reason, atMs } = stateOf(order);
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    instrument: order.instrument,
    side: order.side,
    price: order.price.toFixed(),
    amount: order.amount.toFixed(),
    filled: filled.toFixed(),
    status,
    reason,
    placedMs: order.placedMs,
    updatedMs: atMs,
  };
};

const fillRecord = ({ id, order, price, amount, liquidity, atMs, fee, feeAsset }: Fill) => ({
  id,
  orderId: order.id,
  clientOrderId: order.clientOrderId,
  instrument: order.instrument,
  side: order.side,
  price: price.toFixed(),
  amount: amount.toFixed(),
  liquidity,
  fee: fee.toFixed(),
  feeAsset,
  atMs,
});

const accountRecord = (exchange: Exchange, account: Account) => ({
  id: account.id,
  environment: account.environment,
  orders: [...exchange.orders.values()].filter((order) => order.account === account).map(orderRecord),
  fills: exchange.fills.filter(({ order }) => order.account === account).map(fillRecord),
  holdings: Object.fromEntries([...account.holdings()].map(([asset, amount]) => [asset, amount.toFixed()])),
  entries: account.entries.map(({ amount, ...entry }) => ({ ...entry, amount: amount.toFixed() })),
});

export type LedgerAccount = ReturnType<typeof accountRecord>;

export function ledgerOf(exchange: Exchange): LedgerAccount[] {
  exchange.advance();
  return [...exchange.accounts.values()].map((account) => accountRecord(exchange, account));
}
