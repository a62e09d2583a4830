import { MODES } from '../../db/vocabulary.ts';
import { KINDS, type NotificationKind } from '../../engine/notifications/kinds.ts';
import type { NotificationPayload } from '../../engine/notifications/message.ts';
import type { NotifySeverity } from '../../engine/strategy/graph/types.ts';
import { EXAMPLE } from '../examples.ts';

/** The mode of a notification; null: every mode. */
export const NOTIFICATION_MODES = [...MODES, null] as const;

type Property = {
  type: 'string' | 'number' | 'integer' | readonly ['string', 'null'];
  format?: string;
  description?: string;
};
type Properties = { [name: string]: Property };

const text = { type: 'string' } as const;
const maybe = { type: ['string', 'null'] } as const;
const number = { type: 'number' } as const;
const id = { type: 'string', format: 'uuid' } as const;

const BLUEPRINT: Properties = { blueprintId: id, blueprintName: maybe };
const ORDER: Properties = {
  orderId: id,
  ...BLUEPRINT,
  venue: text,
  tokenId: text,
  title: text,
  side: text,
  type: text,
  amount: number,
  limitPrice: { ...number, description: 'USD. The worst acceptable price.' },
  notional: { ...number, description: 'USD.' },
  filledAmount: number,
  filledNotional: { ...number, description: 'USD.' },
  fees: { ...number, description: 'USD.' },
  reasonCode: maybe,
  reason: maybe,
  expiresAt: { ...maybe, description: 'The deadline for its approval.' },
};
const USAGE: Properties = {
  rule: text,
  limit: number,
  used: number,
  usedPercent: { type: 'integer' },
  text: { ...text, description: 'The action, if a rule stops all entries. Then it is the only field.' },
};

const order = (more: NotificationPayload['data'] = {}): NotificationPayload['data'] => ({
  orderId: EXAMPLE.orderId,
  blueprintId: EXAMPLE.blueprintId,
  blueprintName: 'Dip buyer',
  venue: 'crypto',
  tokenId: 'BTCUSDT',
  title: 'BTC/USDT',
  side: 'buy',
  type: 'market',
  amount: 0.001,
  limitPrice: 60300,
  notional: 60.3,
  filledAmount: 0,
  filledNotional: 0,
  fees: 0,
  reasonCode: null,
  reason: null,
  expiresAt: null,
  ...more,
});

type KindData = { data: Properties; example: NotificationPayload['data'] };

const said = (severity: NotifySeverity): KindData => ({
  data: {
    ...BLUEPRINT,
    deploymentId: id,
    nodeId: text,
    severity: { ...text, description: `\`${severity}\`, as its kind says.` },
    text,
  },
  example: {
    blueprintId: EXAMPLE.blueprintId,
    blueprintName: 'Dip buyer',
    deploymentId: EXAMPLE.deploymentId,
    nodeId: 'tell',
    severity,
    text: 'The price is below 60,000.',
  },
});

const DATA: {
  readonly [Kind in NotificationKind]: KindData;
} = {
  'order.pending': { data: ORDER, example: order({ expiresAt: '2026-11-20T09:15:00.000Z' }) },
  'order.filled': {
    data: ORDER,
    example: order({ filledAmount: 0.001, filledNotional: 60.1, fees: 0.06 }),
  },
  'order.denied': { data: ORDER, example: order({ reasonCode: 'maxOrderSize', reason: 'Above the limit.' }) },
  'order.rejected': {
    data: ORDER,
    example: order({ reasonCode: 'rejected', reason: 'The venue refused it.' }),
  },
  'blueprint.error': {
    data: { ...BLUEPRINT, error: text },
    example: { blueprintId: EXAMPLE.blueprintId, blueprintName: 'Dip buyer', error: 'The market is gone.' },
  },
  'blueprint.said': said('info'),
  'blueprint.warning': said('warning'),
  'blueprint.critical': said('critical'),
  'rule.near_limit': {
    data: USAGE,
    example: { rule: 'maxDailyLoss', limit: 100, used: 83, usedPercent: 83 },
  },
  'rule.reached': {
    data: USAGE,
    example: { rule: 'maxOpenPositions', limit: 10, used: 10, usedPercent: 100 },
  },
  'connection.changed': {
    data: {
      connectionId: id,
      label: text,
      venue: text,
      environment: text,
      state: text,
      reasonCode: maybe,
      reason: maybe,
    },
    example: {
      connectionId: EXAMPLE.connectionId,
      label: 'Testnet, small',
      venue: 'crypto',
      environment: 'testnet',
      state: 'halted',
      reasonCode: 'by_person',
      reason: 'Halted by a person.',
    },
  },
  'key.expiring': {
    data: { keyId: id, name: text, last4: text, expiresAt: text },
    example: {
      keyId: EXAMPLE.keyId,
      name: 'Monitoring',
      last4: 'x3Kq',
      expiresAt: '2026-11-27T09:00:00.000Z',
    },
  },
  'summary.daily': {
    data: {
      day: text,
      realizedPnl: { ...number, description: 'USD.' },
      orders: number,
      fills: number,
      denied: number,
      pending: number,
    },
    example: { day: '2026-11-19', realizedPnl: 12.4, orders: 9, fills: 7, denied: 1, pending: 1 },
  },
  'channel.disabled': {
    data: { channelId: id, label: text, channelKind: text, reason: text },
    example: {
      channelId: EXAMPLE.channelId,
      label: 'Desk',
      channelKind: 'webhook',
      reason: 'Nothing arrived for three days: answered 500.',
    },
  },
};

/** The body of a webhook of each kind. */
export const webhookOf = (kind: NotificationKind) => ({ ...DATA[kind], title: KINDS[kind].title });
