/** Deposits and withdrawals of a Binance account, and transfers by its master account, as the wallet records them. */
import { z } from 'zod';
import type { VenueTransfer } from '../../broker.ts';
import { parseTimestamp } from '../../time.ts';
import { type Answer, parseBody } from './answer.ts';

const Name = z.string().min(1).max(50);
const Positive = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/);
const Id = z.union([z.string().min(1).max(200), z.int()]).transform(String);
/** Times of withdrawals are in UTC, without a zone. */
const UtcTime = z.string().transform((text, ctx) => {
  const time = parseTimestamp(text);
  if (time !== null) return Date.parse(time);
  ctx.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

/** Status 1 and 6: credited. */
const Deposits = z.array(
  z.object({ id: Id, coin: Name, amount: Positive, status: z.int(), insertTime: z.int() }),
);
/** Status 1, 3 and 5: canceled, rejected, failed. */
const Withdrawals = z.array(
  z.object({
    id: Id,
    coin: Name,
    amount: Positive,
    transactionFee: Positive,
    status: z.int(),
    applyTime: UtcTime,
  }),
);
/** Type 1: in, 2: out. */
const Moves = z.array(
  z.object({
    tranId: Id,
    asset: Name,
    qty: Positive,
    type: z.union([z.literal(1), z.literal(2)]),
    time: z.int(),
  }),
);

const CREDITED = new Set([1, 6]);
const UNDONE = new Set([1, 3, 5]);

type RecordOf = { readonly path: string; readonly read: (answer: Answer) => VenueTransfer[] };

/** The path of each list, and its schema. */
export const TRANSFER_RECORDS: readonly RecordOf[] = [
  {
    path: 'sapi/v1/capital/deposit/hisrec',
    read: (answer) =>
      parseBody(answer, Deposits, 'deposits')
        .filter(({ status }) => CREDITED.has(status))
        .map(({ id, coin, amount, insertTime }) => transfer(`deposit:${id}`, coin, amount, insertTime)),
  },
  {
    path: 'sapi/v1/capital/withdraw/history',
    read: (answer) =>
      parseBody(answer, Withdrawals, 'withdrawals')
        .filter(({ status }) => !UNDONE.has(status))
        .flatMap(({ id, coin, amount, transactionFee, applyTime }) => [
          transfer(`withdrawal:${id}`, coin, `-${amount}`, applyTime),
          transfer(`withdrawal-fee:${id}`, coin, `-${transactionFee}`, applyTime),
        ])
        .filter(({ amount }) => Number(amount) !== 0),
  },
  {
    path: 'sapi/v1/sub-account/transfer/subUserHistory',
    read: (answer) =>
      parseBody(answer, Moves, 'transfers of its master account').map(({ tranId, asset, qty, type, time }) =>
        transfer(`move:${tranId}`, asset, type === 1 ? qty : `-${qty}`, time),
      ),
  },
];

const transfer = (id: string, currency: string, amount: string, atMs: number): VenueTransfer => ({
  id,
  currency,
  amount,
  at: new Date(atMs),
});
