/** Binance's WebSocket API, as far as it concerns the client's own account: no replay, and 24 hours at most. */
import { z } from 'zod';
import { jsonOf } from '../../../venues/parse/json.ts';
import { DAY_MS } from '../../../venues/time.ts';
import type { Exchange, ExchangeEvent } from '../exchange.ts';
import { stateOf } from '../orders.ts';
import type { UserStreamClient, UserStreamRules } from '../venue.ts';
import { callerOf, isSigned, timestampRefusal } from './auth.ts';
import { executionReport, statusOf } from './records.ts';
import { amount } from './replies.ts';
import type { BinanceState } from './state.ts';

const Request = z.object({
  id: z.union([z.string(), z.int(), z.null()]).default(null),
  method: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

const OPENED_AT = 'openedAt';

export const streamRules = (state: BinanceState): UserStreamRules => ({
  path: 'ws-api/v3',
  open: ({ environment }) => ({
    environment,
    account: null,
    memory: new Map([[OPENED_AT, state.exchange.now()]]),
  }),
  receive: (session, text) => [JSON.stringify(answerTo(state.exchange, session, text))],
  report: (session, event) =>
    reportOf(state, session, event).map((frame) => JSON.stringify({ subscriptionId: 0, event: frame })),
  isOver: ({ memory }) => state.exchange.now() - Number(memory.get(OPENED_AT)) >= DAY_MS,
});

const failed = (id: unknown, status: number, code: number, msg: string) => ({
  id,
  status,
  error: { code, msg },
});

function answerTo(exchange: Exchange, session: UserStreamClient, text: string): unknown {
  const parsed = Request.safeParse(jsonOf(text));
  if (!parsed.success) return failed(null, 400, -1135, 'Invalid JSON Request');
  const { id, method, params } = parsed.data;
  if (method === 'ping') return { id, status: 200, result: {} };
  if (method !== 'userDataStream.subscribe.signature')
    return failed(id, 400, -1020, 'This operation is not supported.');
  const caller = callerOf(exchange, session.environment, String(params['apiKey'] ?? ''));
  if (caller === null) return failed(id, 401, -2015, 'Invalid API-key, IP, or permissions for action.');
  const late = timestampRefusal(exchange, { get: (name) => (name in params ? String(params[name]) : null) });
  if (late !== null) return { id, status: late.status, error: late.body };
  const { signature, ...rest } = params;
  const payload = Object.keys(rest)
    .sort()
    .map((name) => `${name}=${rest[name]}`)
    .join('&');
  if (!isSigned(payload, String(signature ?? ''), caller.key)) {
    return failed(id, 400, -1022, 'Signature for this request is not valid.');
  }
  if (session.account !== null)
    return failed(id, 400, -2035, 'User Data Stream subscription already active.');
  session.account = caller.account;
  return { id, status: 200, result: { subscriptionId: 0 } };
}

function reportOf(
  { exchange, cancelIds, clearing }: BinanceState,
  { account }: UserStreamClient,
  event: ExchangeEvent,
): unknown[] {
  const { offsetMs } = exchange;
  if (account === null) return [];
  if (event.kind === 'fill') {
    const { fill } = event;
    if (fill.order.account !== account) return [];
    return [executionReport(fill.order, { type: 'TRADE', fill, cancelId: null }, offsetMs)];
  }
  if (event.kind === 'order') {
    const { order } = event;
    if (order.account !== account) return [];
    const type = TYPES[statusOf(stateOf(order))];
    // Trade events report fills.
    if (type === undefined) return [];
    const cancelId = type === 'CANCELED' ? (cancelIds.get(order.id) ?? `web_${order.id}`) : null;
    return [executionReport(order, { type, fill: null, cancelId }, offsetMs)];
  }
  const { entry } = event;
  if (event.account !== account) return [];
  const at = { E: entry.atMs + offsetMs };
  if (entry.kind === 'deposit' || entry.kind === 'withdrawal') {
    return [{ e: 'balanceUpdate', ...at, a: entry.asset, d: amount(entry.amount), T: at.E }];
  }
  const locked = clearing.locked(account, entry.asset);
  const held = { a: entry.asset, f: amount(account.holds(entry.asset).minus(locked)), l: amount(locked) };
  return [{ e: 'outboundAccountPosition', ...at, u: at.E, B: [held] }];
}

const TYPES: Readonly<Record<string, string>> = {
  NEW: 'NEW',
  CANCELED: 'CANCELED',
  EXPIRED: 'EXPIRED',
  EXPIRED_IN_MATCH: 'TRADE_PREVENTION',
};
