import type { ConnectionState, Side } from '../../db/vocabulary.ts';
import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { IntentFacts, PassageFacts } from './facts.ts';
import { atMost, type CheckTerms, type Finding } from './rule.ts';

export type Closure = { readonly code: string; readonly message: string };

/** Returns why an order of this side cannot take the route, as a stable code and a message; null if it can. Pure. */
export function closureOf({ connectionId, state, isLiveOn }: PassageFacts, side: Side): Closure | null {
  if (connectionId === null || state === null) return NO_CONNECTION;
  if (side === 'buy' && !isLiveOn) return LIVE_OFF;
  const mayLeave = state === 'ready' || (side === 'sell' && state === 'reduce_only');
  return mayLeave ? null : { code: `connection_${state}`, message: CLOSED[state] };
}

const NO_CONNECTION: Closure = {
  code: 'no_connection',
  message: 'The account has no connection to this venue: connect one first.',
};
const LIVE_OFF: Closure = {
  code: 'live_trading_off',
  message: 'Live trading is switched off by the operator: buys are not sent.',
};
const CLOSED: Readonly<Record<ConnectionState, string>> = {
  ready: '',
  unverified: 'The connection to this venue has not passed its checks: no orders are sent through it.',
  reduce_only: 'The connection to this venue is reduce-only: no entries are sent through it.',
  halted: 'The connection to this venue is halted: only cancels are sent through it.',
  expired: 'The credentials of the connection to this venue have expired: enter new ones.',
  revoked: 'The connection to this venue was removed.',
};

const ONE = exact(1);

type Asked = { readonly limit: Exact; readonly closure: Closure | null };

const passage: CheckTerms & { judge(asked: Asked): Finding } = {
  name: 'connection',
  title: 'Orders without a route to the venue',
  unit: 'orders',
  looser: 'higher',
  judge: ({ limit, closure }) => {
    if (closure === null) return atMost(limit, ZERO);
    return { verdict: 'deny', actual: ONE, note: closure.code, denial: closure };
  },
  sentence: () => 'No connection can send the order.',
};

/** Returns the check of a live order's route; none on paper. */
export const passageLineOf = ({ route: facts, side }: IntentFacts) =>
  facts === undefined ? [] : [{ check: passage, asked: { limit: ZERO, closure: closureOf(facts, side) } }];
