import type { AccountEventType } from '../../engine/platform/event-payloads.ts';
import type { Scope } from '../scopes.ts';

/** The content of each kind of event, and the scope that a key needs to read it. */
export const KINDS = {
  'order.changed': { scope: 'orders:read', tells: 'an order came to be or changed its status' },
  'fill.applied': { scope: 'orders:read', tells: 'an execution was booked' },
  'position.changed': {
    scope: 'portfolio:read',
    tells: 'a holding grew, shrank, was settled or written off',
  },
  'risk_rules.changed': { scope: 'risk:read', tells: 'the limits have another version' },
  'daily_loss.tripped': { scope: 'risk:read', tells: 'the loss of the day reached its limit' },
  'drawdown.tripped': { scope: 'risk:read', tells: 'the fall from the highest profit reached its limit' },
  'blueprint.changed': {
    scope: 'blueprints:read',
    tells: 'a blueprint was deployed, stopped, tagged or deleted, or failed',
  },
  'connection.changed': { scope: 'orders:read', tells: 'a connection to a venue has another state' },
  'backtest.finished': { scope: 'blueprints:read', tells: 'a backtest came to its end' },
  'sweep.finished': { scope: 'blueprints:read', tells: 'a sweep came to its end' },
  'notice.raised': {
    scope: 'notifications:read',
    tells: 'a limit is nearly used, a key ends soon, a day is over, a channel was disabled',
  },
  notification: { scope: 'orders:read', tells: 'something a person should read' },
} as const satisfies Record<AccountEventType, { scope: Scope; tells: string }>;

export type Kind = keyof typeof KINDS;

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

export const KIND_NAMES = Object.keys(KINDS).filter(isKind);
