/** The user stream of venue B: its protocol, and the meaning of its frames. */

import { z } from 'zod';
import type { VenueOrder } from '../../broker.ts';
import { keepConnected, type StreamProtocol, type StreamTimes } from '../../http/keep-connected.ts';
import { AmountString, trimmed } from '../../parse/decimal.ts';
import { jsonOf } from '../../parse/json.ts';
import { SECOND_MS } from '../../time.ts';
import type { ApiCredentials } from './auth.ts';
import { hasAllMakers, OrderId, TokenId, WireTrade } from './records.ts';

/** A message of one frame. `gap`: only the lists have the full data of an event. */
export type StreamMessage =
  | { readonly kind: 'order'; readonly tokenId: string; readonly order: VenueOrder }
  | { readonly kind: 'trade'; readonly trade: WireTrade }
  | { readonly kind: 'gap' }
  | { readonly kind: 'unreadable'; readonly about: string };

const OrderEvent = z.object({
  event_type: z.literal('order'),
  type: z.enum(['PLACEMENT', 'UPDATE', 'CANCELLATION']),
  id: OrderId,
  asset_id: TokenId,
  original_size: AmountString,
  size_matched: z.union([z.literal(''), AmountString]),
  status: z.string(),
});

/** The stream uses another name than the lists for the time of a trade's match. */
const TradeEvent = z.looseObject({ event_type: z.literal('trade'), type: z.literal('TRADE') });

/** All messages of a frame, in order. Pure; never throws. */
export function readFrame(text: string): StreamMessage[] {
  if (text === 'PONG' || text === '') return [];
  const frame = jsonOf(text);
  if (frame === undefined) return [{ kind: 'unreadable', about: 'a frame' }];
  return (Array.isArray(frame) ? frame : [frame]).map(readEvent);
}

function readEvent(event: unknown): StreamMessage {
  const order = OrderEvent.safeParse(event);
  if (order.success) return readOrder(order.data);
  const outline = TradeEvent.safeParse(event);
  if (!outline.success) return { kind: 'unreadable', about: aboutOf(event) };
  const { matchtime, timestamp } = outline.data;
  const time = { match_time: outline.data['match_time'] ?? matchtime ?? timestamp };
  const trade = WireTrade.safeParse({ ...outline.data, ...time });
  if (!trade.success) return { kind: 'unreadable', about: aboutOf(event) };
  // The price of a taker follows from its makers: without all of them the lists must be read.
  const isComplete = trade.data.trader_side === 'MAKER' || hasAllMakers(trade.data);
  return isComplete ? { kind: 'trade', trade: trade.data } : { kind: 'gap' };
}

function readOrder(event: z.infer<typeof OrderEvent>): StreamMessage {
  const { type, status, size_matched: matched } = event;
  const report = (order: Pick<VenueOrder, 'status'> & Partial<VenueOrder>): StreamMessage => ({
    kind: 'order',
    tokenId: event.asset_id,
    order: {
      venueOrderId: event.id,
      filledAmount: matched === '' ? null : trimmed(matched),
      fills: [],
      reasonCode: null,
      reason: null,
      ...order,
    },
  });
  // An end is reported only with the amount filled until then: it is final.
  if (type === 'CANCELLATION') return matched === '' ? { kind: 'gap' } : canceled(status, report);
  if (status === 'LIVE' || status === 'MATCHED') return report({ status: 'open' });
  return { kind: 'unreadable', about: event.id };
}

type OrderReport = (order: Pick<VenueOrder, 'status'> & Partial<VenueOrder>) => StreamMessage;

function canceled(status: string, report: OrderReport): StreamMessage {
  if (status === 'INVALID') {
    return report({
      status: 'canceled',
      reasonCode: 'invalid',
      reason: 'the venue declared the order invalid',
    });
  }
  if (!/^CANCELL?ED/.test(status)) return { kind: 'unreadable', about: 'the end of an order' };
  if (status.endsWith('MARKET_RESOLVED')) {
    return report({ status: 'canceled', reasonCode: 'market_resolved', reason: 'the market is resolved' });
  }
  return report({ status: 'canceled', reasonCode: 'canceled', reason: 'canceled at the venue' });
}

/** The name of an event, if a log may contain it. */
function aboutOf(event: unknown): string {
  const { event_type: name } = (event ?? {}) as { event_type?: unknown };
  return typeof name === 'string' && /^[\w.-]{1,50}$/.test(name) ? name : 'an event';
}

export type StreamOptions = {
  readonly url: string;
  readonly credentials: ApiCredentials;
  readonly on: (message: StreamMessage) => void;
  readonly times?: StreamTimes;
};

/** The venue requires a heartbeat every ten seconds. */
const TIMES: StreamTimes = {
  probeMs: 5 * SECOND_MS,
  silentMs: 15 * SECOND_MS,
  retryMs: SECOND_MS,
  retryMaxMs: 30 * SECOND_MS,
};

/**
 * Listens until it is stopped, and reconnects after every end. Each connection follows a gap. The venue does not answer a
 * sign-in: if it only closes the connection, the sign-in was refused.
 */
export function listenToUserStream({ url, credentials, on, times = TIMES }: StreamOptions): {
  stop(): Promise<void>;
} {
  const protocolOf = (): StreamProtocol => ({
    url: `${url}/ws/user`,
    hello: JSON.stringify({ auth: credentials.streamAuth(), type: 'user' }),
    probe: 'PING',
    opened: () => on({ kind: 'gap' }),
    receive: (text) => {
      for (const message of readFrame(text)) on(message);
      return true;
    },
  });
  return keepConnected(protocolOf, times);
}
