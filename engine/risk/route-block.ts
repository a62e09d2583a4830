import type { ConnectionState, Side } from '../../db/vocabulary.ts';
import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { IntentRiskInputs, RouteInputs } from './risk-inputs.ts';
import { atMost, type CheckTerms, type Finding } from './rule.ts';

export type RouteBlock = { readonly code: string; readonly message: string };

/** Returns why an order of this side cannot take the route, as a stable code and a message; null if it can. Pure. */
export function routeBlockOf({ connectionId, state, isLiveOn }: RouteInputs, side: Side): RouteBlock | null {
  if (connectionId === null || state === null) return NO_CONNECTION;
  if (side === 'buy' && !isLiveOn) return LIVE_OFF;
  const isOpen = state === 'ready' || (side === 'sell' && state === 'reduce_only');
  return isOpen ? null : { code: `connection_${state}`, message: BLOCKED[state] };
}

const NO_CONNECTION: RouteBlock = {
  code: 'no_connection',
  message: 'The account has no connection to this venue: connect one first.',
};
const LIVE_OFF: RouteBlock = {
  code: 'live_trading_off',
  message: 'Live trading is switched off by the operator: buys are not sent.',
};
const BLOCKED: Readonly<Record<ConnectionState, string>> = {
  ready: '',
  unverified: 'The connection to this venue has not passed its checks: no orders are sent through it.',
  reduce_only: 'The connection to this venue is reduce-only: no entries are sent through it.',
  halted: 'The connection to this venue is halted: only cancels are sent through it.',
  expired: 'The credentials of the connection to this venue have expired: enter new ones.',
  revoked: 'The connection to this venue was removed.',
};

const ONE = exact(1);

type RouteInput = { readonly limit: Exact; readonly block: RouteBlock | null };

export const routeCheck: CheckTerms & { evaluate(input: RouteInput): Finding } = {
  name: 'connection',
  title: 'Orders without a route to the venue',
  unit: 'orders',
  looser: 'higher',
  evaluate: ({ limit, block }) => {
    if (block === null) return atMost(limit, ZERO);
    return { verdict: 'deny', actual: ONE, note: block.code, denial: block };
  },
  sentence: () => 'No connection can send the order.',
};

/** Returns the check of a live order's route; none on paper. */
export const routeCheckOf = ({ route: facts, side }: IntentRiskInputs) =>
  facts === undefined
    ? []
    : [{ check: routeCheck, input: { limit: ZERO, block: routeBlockOf(facts, side) } }];
