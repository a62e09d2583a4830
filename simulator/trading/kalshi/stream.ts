/** Kalshi's WebSocket, as far as it concerns the client's own orders. No sequence numbers and no replay. */
import { z } from 'zod';
import { jsonOf } from '../../../venues/parse/json.ts';
import type { Exchange, ExchangeEvent } from '../exchange.ts';
import { stateOf } from '../orders.ts';
import type { UserStreamClient, UserStreamRules } from '../venue.ts';
import { authenticate } from './auth.ts';
import { fillMessage, orderMessage } from './records.ts';
import { count } from './replies.ts';

const CHANNELS = ['user_orders', 'fill', 'market_positions'] as const;

const Command = z.object({
  id: z.int(),
  cmd: z.enum(['subscribe', 'unsubscribe', 'list_subscriptions']),
  params: z
    .object({ channels: z.array(z.string()).optional(), sids: z.array(z.int()).optional() })
    .optional(),
});

/** Subscription number by channel. */
const subscriptionsOf = ({ memory }: UserStreamClient): Map<string, unknown> => memory;

export const streamRules = (exchange: Exchange): UserStreamRules => ({
  path: 'trade-api/ws/v2',
  open: (ask) => {
    const caller = authenticate(exchange, ask);
    return 'status' in caller
      ? caller
      : { environment: ask.environment, account: caller.account, memory: new Map() };
  },
  receive: (session, text) => answersTo(session, text).map((frame) => JSON.stringify(frame)),
  report: (session, event) => {
    const frames = reportsOf(session, event, exchange.offsetMs);
    return frames.map((frame) => JSON.stringify(frame));
  },
});

function answersTo(session: UserStreamClient, text: string): unknown[] {
  const parsed = Command.safeParse(jsonOf(text));
  if (!parsed.success) return [{ type: 'error', msg: { code: 1, msg: 'Unable to process message' } }];
  const { id, cmd, params } = parsed.data;
  const subscriptions = subscriptionsOf(session);
  if (cmd === 'list_subscriptions') {
    const list = [...subscriptions].map(([channel, sid]) => ({ channel, sid }));
    return [{ id, type: 'ok', msg: list }];
  }
  if (cmd === 'unsubscribe') {
    const gone = [...subscriptions].filter(([, sid]) => params?.sids?.includes(Number(sid)));
    for (const [channel] of gone) subscriptions.delete(channel);
    return gone.map(([, sid]) => ({ id, sid, type: 'unsubscribed' }));
  }
  return (params?.channels ?? []).map((channel) => {
    if (!CHANNELS.some((known) => known === channel))
      return { id, type: 'error', msg: { code: 5, msg: 'Unknown channel name' } };
    const sid = Number(subscriptions.get(channel) ?? subscriptions.size + 1);
    subscriptions.set(channel, sid);
    return { id, type: 'subscribed', msg: { channel, sid } };
  });
}

function reportsOf(session: UserStreamClient, event: ExchangeEvent, offsetMs: number): unknown[] {
  const frame = (channel: string, type: string, msg: unknown) => {
    const sid = subscriptionsOf(session).get(channel);
    return sid === undefined ? [] : [{ type, sid, msg }];
  };
  const { account } = session;
  if (account === null) return [];
  if (event.kind === 'order') {
    if (event.order.account !== account) return [];
    return frame('user_orders', 'user_order', orderMessage(event.order, stateOf(event.order), offsetMs));
  }
  if (event.kind !== 'fill' || event.fill.order.account !== account) return [];
  const ticker = event.fill.order.instrument;
  const position = account.holds(ticker);
  return [
    ...frame('fill', 'fill', fillMessage(event.fill, position, offsetMs)),
    ...frame('market_positions', 'market_position', {
      user_id: account.id,
      market_ticker: ticker,
      position_fp: count(position),
      subaccount: 0,
    }),
  ];
}
