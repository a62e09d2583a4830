/** Deposits and withdrawals, by Kalshi's record. */
import { Decimal } from 'decimal.js';
import type { VenueTransfer } from '../../broker.ts';
import { SECOND_MS } from '../../time.ts';
import type { WireTransfer } from './wire.ts';

/** A deposit counts once it is applied, a withdrawal from its start, when its money is reserved. */
const COUNTS = { deposit: ['applied'], withdrawal: ['applied', 'pending'] } as const;
const SIGN = { deposit: 1, withdrawal: -1 } as const;

export const transfersOf = (records: readonly WireTransfer[], kind: keyof typeof COUNTS): VenueTransfer[] =>
  records
    .filter(({ status }) => COUNTS[kind].some((each) => each === status))
    .map(({ id, amount_cents, created_ts, finalized_ts }) => ({
      id: `${kind}:${id}`,
      currency: 'USD',
      amount: new Decimal(amount_cents).div(100).times(SIGN[kind]).toFixed(),
      at: new Date((finalized_ts ?? created_ts) * SECOND_MS),
    }));
