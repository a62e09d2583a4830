/** The user's stream of venue B. */
import { z } from 'zod';
import { jsonOf } from '../../../venues/parse/json.ts';
import type { Account } from '../account.ts';
import type { ExchangeEvent } from '../exchange.ts';
import { isOpen, type Order, stateOf } from '../orders.ts';
import type { UserStreamClient, UserStreamRules } from '../venue.ts';
import { keyOf } from './auth.ts';
import type { Clearing } from './clearing.ts';
import { orderRecord } from './reads.ts';

const Hello = z.object({
  auth: z.object({ apiKey: z.string(), secret: z.string(), passphrase: z.string() }),
  type: z.literal('user'),
});

export const userStream = (clearing: Clearing): UserStreamRules => ({
  path: 'ws/user',
  open: ({ environment }) => ({ environment, account: null, memory: new Map() }),
  receive: (session, text) => {
    if (text === 'PING') return ['PONG'];
    session.account = signedIn(clearing, session, text);
    return [];
  },
  report: (session, event) => reportsOf(clearing, session, event),
});

function signedIn(
  { exchange }: Clearing,
  { environment }: UserStreamClient,
  text: string,
): UserStreamClient['account'] {
  const hello = Hello.safeParse(jsonOf(text));
  if (!hello.success) return null;
  const { apiKey, secret, passphrase } = hello.data.auth;
  const caller = keyOf(exchange.accounts, environment, apiKey);
  const isOwn =
    caller !== null &&
    Buffer.from(caller.key.material, 'base64').equals(Buffer.from(secret, 'base64')) &&
    caller.key.tags['passphrase'] === passphrase;
  return isOwn ? caller.account : null;
}

function reportsOf(clearing: Clearing, { account }: UserStreamClient, event: ExchangeEvent): string[] {
  if (account === null) return [];
  if (event.kind === 'order' && event.order.account === account) return [orderFrame(clearing, event.order)];
  const trade = clearing.trades.get(tradeIn(event, account) ?? '');
  if (trade === undefined) return [];
  const nowMs = clearing.exchange.now();
  const record = clearing.trades.record(trade, account, nowMs);
  const timestamp = String(clearing.exchange.venueNow());
  return [JSON.stringify({ ...record, event_type: 'trade', type: 'TRADE', timestamp })];
}

/** A trade is reported once all fills of its taker are known, at the time of its charge. */
function tradeIn(event: ExchangeEvent, account: Account): string | null {
  if (event.kind === 'entry')
    return event.account === account && event.entry.kind === 'fee' ? event.entry.ref : null;
  if (event.kind === 'order' || event.fill.order.account !== account) return null;
  return event.fill.liquidity === 'maker' ? event.fill.id : null;
}

function orderFrame(clearing: Clearing, order: Order): string {
  const { filled, status, reason } = stateOf(order);
  const type =
    order.states.length === 1
      ? 'PLACEMENT'
      : isOpen(order) || status === 'filled'
        ? 'UPDATE'
        : 'CANCELLATION';
  const canceled = reason === 'market_resolved' ? 'CANCELED_MARKET_RESOLVED' : 'CANCELED';
  const word = isOpen(order) ? 'LIVE' : status === 'filled' ? 'MATCHED' : canceled;
  return JSON.stringify({
    ...orderRecord(clearing, order, word),
    event_type: 'order',
    type,
    size_matched: filled.toFixed(),
    timestamp: String(clearing.exchange.venueNow()),
  });
}
