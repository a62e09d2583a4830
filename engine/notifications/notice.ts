import type { Json } from '../../db/json.ts';
import type { Mode } from '../../db/vocabulary.ts';
import type { AccountEvent } from '../platform/events/events.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './kinds.ts';

/** An event as stored. */
export type StoredEvent = { readonly type: string; readonly mode: Mode | null; readonly payload: Json };

type Fields = { readonly [name: string]: Json };

/** The notification that an event becomes, with the fields of the event; other details are looked up. */
export type Notice = { readonly kind: NotificationKind; readonly fields: Fields };

const OF_ORDER: { readonly [status: string]: NotificationKind } = {
  pending: 'order.pending',
  filled: 'order.filled',
  denied: 'order.denied',
  rejected: 'order.rejected',
};

/** Kinds of notifications by the severity of a Notify step. An event from before severities has none. */
const OF_SEVERITY: { readonly [severity: string]: NotificationKind } = {
  warning: 'blueprint.warning',
  critical: 'blueprint.critical',
};

/** Kinds of notifications by the kind of a `notice` event's text. */
const OF_TEXT: { readonly [kind: string]: NotificationKind } = {
  notify: 'blueprint.said',
  refused: 'order.denied',
  daily_loss: 'rule.reached',
  drawdown: 'rule.reached',
};

/** Builds the event of a limit, a key or a day. It holds all details of its notification. */
export const noticeEvent = (
  kind: NotificationKind,
  fields: Fields,
  { mode }: { mode?: null } = {},
): AccountEvent => ({
  type: 'notice.raised',
  payload: { ...fields, kind },
  ...(mode === null && { mode }),
});

/** Maps an event to its notification; null if it causes none. Pure. */
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
    case 'notification': {
      const kind = own(OF_TEXT, word('kind'));
      return (kind === 'blueprint.said' && own(OF_SEVERITY, word('severity'))) || kind;
    }
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
