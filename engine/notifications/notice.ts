import type { Json } from '../../db/json.ts';
import type { Mode } from '../../db/vocabulary.ts';
import type { AccountEvent } from '../platform/events/events.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './kinds.ts';

/** An event as it is stored. */
export type StoredEvent = { readonly type: string; readonly mode: Mode | null; readonly payload: Json };

type Fields = { readonly [name: string]: Json };

/** Which notification an event becomes, and what it says of itself; the rest is looked up. */
export type Notice = { readonly kind: NotificationKind; readonly fields: Fields };

const OF_ORDER: { readonly [status: string]: NotificationKind } = {
  pending: 'order.pending',
  filled: 'order.filled',
  denied: 'order.denied',
  rejected: 'order.rejected',
};

/** What the service tells by texts of its own. */
const OF_TEXT: { readonly [kind: string]: NotificationKind } = {
  notify: 'blueprint.said',
  refused: 'order.denied',
  daily_loss: 'rule.reached',
  drawdown: 'rule.reached',
};

/** Told by whoever watches limits, keys and days: all it has to say stands in it. */
export const noticeEvent = (
  kind: NotificationKind,
  fields: Fields,
  { mode }: { mode?: null } = {},
): AccountEvent => ({
  type: 'notice.raised',
  payload: { ...fields, kind },
  ...(mode === null && { mode }),
});

/** The notification an event becomes; null for one that nobody is told of. Pure. */
export function noticeOf({ type, payload }: StoredEvent): Notice | null {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return null;
  const kind = kindOf(type, payload);
  return kind === null ? null : { kind, fields: payload };
}

function kindOf(type: string, fields: Fields): NotificationKind | null {
  const word = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  switch (type) {
    case 'order.changed':
      return own(OF_ORDER, word('status'));
    case 'blueprint.changed':
      return word('status') === 'error' ? 'blueprint.error' : null;
    case 'notification':
      return own(OF_TEXT, word('kind'));
    case 'connection.changed':
      return 'connection.changed';
    case 'notice.raised':
      return NOTIFICATION_KINDS.find((kind) => kind === word('kind')) ?? null;
    default:
      return null;
  }
}

const own = (table: { readonly [word: string]: NotificationKind }, word: string): NotificationKind | null =>
  (Object.hasOwn(table, word) ? table[word] : null) ?? null;
