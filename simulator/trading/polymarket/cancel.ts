/** Cancels and heartbeats of venue B. */
import { z } from 'zod';
import { ok, type Reply } from '../../reply.ts';
import { uuidOf } from '../exchange.ts';
import { isOpen } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import type { Caller } from './auth.ts';
import type { Clearing } from './clearing.ts';
import { failure, VENUE_MODE_REPLIES } from './replies.ts';

const One = z.object({ orderID: z.string() });
const Beat = z.object({ heartbeat_id: z.string() });

export function cancelOrder(clearing: Clearing, caller: Caller, { body }: TradingRequest): Reply {
  const parsed = One.safeParse(body);
  return parsed.success ? cancel(clearing, caller, [parsed.data.orderID]) : failure(400, 'Invalid orderID');
}

export function cancelAll(clearing: Clearing, caller: Caller): Reply {
  return cancel(
    clearing,
    caller,
    clearing.exchange.openOrders(caller.account).map(({ id }) => id),
  );
}

function cancel(clearing: Clearing, { account }: Caller, ids: readonly string[]): Reply {
  if (clearing.mode === 'disabled' || clearing.exchange.pause === 'all') return VENUE_MODE_REPLIES.disabled;
  const canceled: string[] = [];
  const notCanceled: Record<string, string> = {};
  for (const id of ids) {
    const order = clearing.exchange.orders.get(id);
    if (clearing.delayed.has(id)) notCanceled[id] = 'the order is delayed and cannot be canceled yet';
    else if (order === undefined || order.account !== account) notCanceled[id] = 'order not found';
    else if (!isOpen(order)) notCanceled[id] = 'already canceled or matched';
    else if (clearing.exchange.cancel(order)) canceled.push(id);
  }
  return ok({ canceled, not_canceled: notCanceled });
}

/** Each heartbeat names the previous one; the first names none, unless one is active already. */
export function heartbeat(clearing: Clearing, { account, key }: Caller, { body }: TradingRequest): Reply {
  const given = Beat.safeParse(body).data?.heartbeat_id ?? '';
  const running = clearing.heartbeats.get(key.id);
  if (running !== undefined && running.id !== given) {
    return { status: 400, body: { error_msg: 'Invalid Heartbeat ID', heartbeat_id: running.id } };
  }
  const atMs = clearing.exchange.now();
  const id = uuidOf(`heartbeat/${key.id}/${running?.id ?? ''}/${atMs}`);
  clearing.heartbeats.set(key.id, { account, id, atMs });
  return ok({ heartbeat_id: id });
}
