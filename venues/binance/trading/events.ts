/** Parses messages of Binance's user stream. Pure; a message that cannot be parsed is reported as such and changes nothing. */
import { jsonOf } from '../../parse/json.ts';
import { type OrderState, stateOf, type Trade } from './answer.ts';
import { ExecutionReport, SocketAnswer, UserEvent } from './wire.ts';

export type UserMessage =
  | {
      readonly kind: 'report';
      /** Null: the order has no id that this service could have given. */
      readonly clientOrderId: string | null;
      readonly tokenId: string;
      readonly side: 'buy' | 'sell';
      readonly state: OrderState;
      readonly trade: Trade | null;
    }
  /** The answer to our own request on the same socket. */
  | { readonly kind: 'answer'; readonly id: string | null; readonly isGood: boolean }
  /** This socket sends nothing more, now or soon. */
  | { readonly kind: 'ending' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unreadable'; readonly about: string };

const ENDINGS: ReadonlySet<string> = new Set(['serverShutdown', 'eventStreamTerminated']);
/** We request balances, and never compute them from events; order lists are not used. */
const IGNORED: ReadonlySet<string> = new Set([
  'outboundAccountPosition',
  'balanceUpdate',
  'externalLockUpdate',
  'listStatus',
]);

export function parseUserMessage(text: string): UserMessage {
  const value = jsonOf(text);
  const answer = SocketAnswer.safeParse(value);
  if (answer.success) return { kind: 'answer', id: answer.data.id, isGood: answer.data.status === 200 };
  const message = UserEvent.safeParse(value);
  if (!message.success) return { kind: 'unreadable', about: 'a message of the user stream' };
  const { event } = message.data;
  if (ENDINGS.has(event.e)) return { kind: 'ending' };
  if (IGNORED.has(event.e)) return { kind: 'ignored' };
  if (event.e !== 'executionReport') return { kind: 'unreadable', about: 'an event of an unknown type' };
  const report = ExecutionReport.safeParse(event);
  return report.success ? reportOf(report.data) : { kind: 'unreadable', about: 'an executionReport' };
}

function reportOf(report: ExecutionReport): UserMessage {
  const { state } = stateOf(
    {
      orderId: report.i,
      status: report.X,
      executedQty: report.z,
      origQty: report.q,
      expiryReason: report.eR,
    },
    null,
  );
  return {
    kind: 'report',
    // In a cancel, `c` names the cancel and `C` the order.
    clientOrderId: report.C ?? report.c,
    tokenId: report.s,
    side: report.S,
    state,
    trade: report.x === 'TRADE' ? tradeOf(report) : null,
  };
}

function tradeOf({ s, i, t, l, L, n, N, T, m }: ExecutionReport): Trade {
  return {
    symbol: s,
    id: String(t),
    orderId: i,
    price: L,
    qty: l,
    commission: n ?? '0',
    commissionAsset: N ?? '',
    time: T,
    isMaker: m,
  };
}
