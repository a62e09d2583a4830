import { Decimal } from 'decimal.js';
import type { Outputs } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { elapsed } from '../exact-time.ts';
import { amount, usd } from '../number.ts';
import { venueTitle } from './venue.ts';

type Order = Pick<
  Outputs['console']['order'],
  | 'status'
  | 'side'
  | 'venue'
  | 'amount'
  | 'filledAmount'
  | 'averagePrice'
  | 'fees'
  | 'createdAt'
  | 'queuedAt'
  | 'endedAt'
>;

/** Whether an order is done, and with which result: the first sentence about it. */
export function orderEndWords(order: Order): string {
  const venue = venueTitle(order.venue);
  const filled = { filledAmount: amount(order.filledAmount), amount: amount(order.amount) };
  switch (order.status) {
    case 'pending':
      return t('Not sent: it waits for your decision.');
    case 'denied':
      return t('Not sent: a risk rule denied it.');
    case 'queued':
      return t('Passed the rules; it is sent to {venue} next.', { venue });
    case 'submitted':
      return t('Sent to {venue}, which has not answered yet.', { venue });
    case 'unknown':
      return t('Its state at {venue} is being checked.', { venue });
    case 'open':
      return t('Rests at {venue}; nothing is filled yet.', { venue });
    case 'partially_filled':
      return t('Rests at {venue}: {filledAmount} of {amount} is filled.', { venue, ...filled });
    case 'filled':
      return filledWords(order);
    default:
      return order.filledAmount > 0
        ? t('Ended: {filledAmount} of {amount} was filled.', filled)
        : t('Ended without a fill.');
  }
}

function filledWords({
  side,
  filledAmount,
  averagePrice,
  fees,
  createdAt,
  queuedAt,
  endedAt,
}: Order): string {
  const value = new Decimal(filledAmount).times(averagePrice ?? 0);
  const values = {
    elapsed: elapsed(Date.parse(endedAt ?? createdAt) - Date.parse(queuedAt ?? createdAt)),
    total: usd((side === 'buy' ? value.plus(fees) : value.minus(fees)).toNumber()),
    fees: usd(fees),
  };
  return side === 'buy'
    ? t('Done in {elapsed}: paid {total}, of which {fees} is the fee.', values)
    : t('Done in {elapsed}: received {total} after a fee of {fees}.', values);
}
