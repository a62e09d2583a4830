import type { Json } from '../../db/json.ts';
import type { Mode } from '../../db/vocabulary.ts';
import type { SentKind } from './kinds.ts';

/** A notification as stored and sent. */
export type NotificationPayload = {
  readonly id: string;
  readonly kind: SentKind;
  readonly mode: Mode | null;
  /** ISO 8601. */
  readonly at: string;
  readonly data: { readonly [name: string]: Json };
};

/** The text for a person. */
export type Message = { readonly title: string; readonly text: string; readonly link: string };

const TEXT_MAX = 600;

/** Writes the text of a notification. `publicUrl` has no slash at its end. Pure. */
export function messageOf(payload: NotificationPayload, publicUrl: string): Message {
  const { title, text } = wordsOf(payload);
  // Marks live trading at the start, so that real money is recognized at once.
  const marked = payload.mode === 'live' ? `[LIVE] ${title}` : title;
  return {
    title: marked,
    text: [...text].slice(0, TEXT_MAX).join(''),
    link: `${publicUrl}${pathOf(payload)}`,
  };
}

export const textOf = (data: NotificationPayload['data'], name: string): string => {
  const value = data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

function wordsOf({ kind, data }: NotificationPayload): { title: string; text: string } {
  const word = (name: string) => textOf(data, name);
  const order = `${word('side')} ${word('amount')} ${word('title') || word('tokenId')} at ${word('limitPrice')}`;
  const strategy = word('blueprintName') || 'A strategy';
  const from = word('blueprintName') && ` (${word('blueprintName')})`;
  switch (kind) {
    case 'order.pending': {
      const until = word('expiresAt') && `, until ${timeOf(word('expiresAt'))}`;
      return { title: 'An order waits for your approval', text: `${order}${from}${until}.` };
    }
    case 'order.filled':
      return { title: 'Filled', text: `${order}${from}.` };
    case 'order.denied':
      return { title: 'An order was denied', text: word('text') || `${order}${from}: ${word('reason')}` };
    case 'order.rejected':
      return { title: 'A venue rejected an order', text: `${order}${from}: ${word('reason')}` };
    case 'blueprint.error':
      return { title: `${strategy} is in error`, text: word('error') };
    case 'blueprint.said':
      return { title: strategy, text: word('text') };
    case 'blueprint.warning':
      return { title: `Warning: ${strategy}`, text: word('text') };
    case 'blueprint.critical':
      return { title: `Critical: ${strategy}`, text: word('text') };
    case 'rule.near_limit':
      return {
        title: `${word('usedPercent')} % of ${word('rule')} is used`,
        text: `${word('used')} of ${word('limit')}.`,
      };
    case 'rule.reached':
      return {
        title: 'A limit is reached',
        text: word('text') || `${word('rule')}: ${word('used')} of ${word('limit')}.`,
      };
    case 'connection.changed':
      return { title: `${word('label') || 'A connection'} is ${word('state')}`, text: word('reason') };
    case 'key.expiring':
      return {
        title: `The key ${word('name')} expires soon`,
        text: `It ends at ${timeOf(word('expiresAt'))}. Rotate it before then.`,
      };
    case 'summary.daily':
      return {
        title: `${word('day')}: ${word('realizedPnl')} USD realized`,
        text: `${word('fills')} fills, ${word('denied')} orders denied, ${word('pending')} waiting.`,
      };
    case 'channel.disabled':
      return { title: `The channel ${word('label')} was disabled`, text: word('reason') };
    case 'test':
      return { title: 'A test', text: 'This channel works.' };
  }
}

/** To the minute, in UTC: a mailbox has no time zone. */
const timeOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** Returns the console page of the subject; for an approval, its own dialog. */
function pathOf({ kind, mode, data }: NotificationPayload): string {
  const base = mode === 'live' ? '/live' : '';
  const id = (name: string) => encodeURIComponent(textOf(data, name));
  switch (kind) {
    case 'order.pending':
      return `${base}/orders?approve=${id('orderId')}`;
    case 'order.filled':
    case 'order.rejected':
    case 'order.denied':
      return textOf(data, 'orderId') === '' ? `${base}/activity` : `${base}/orders?order=${id('orderId')}`;
    case 'blueprint.error':
    case 'blueprint.said':
    case 'blueprint.warning':
    case 'blueprint.critical':
      return `${base}/blueprints/${id('blueprintId')}`;
    case 'rule.near_limit':
    case 'rule.reached':
      return `${base}/risk`;
    case 'connection.changed':
      return '/connections';
    case 'key.expiring':
      return '/keys';
    case 'summary.daily':
      return `${base}/portfolio`;
    case 'channel.disabled':
    case 'test':
      return '/notifications';
  }
}
