import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import { type Denial, evaluate } from './evaluate.ts';
import type { IntentRiskInputs, LiveOrderInputs, OrderCost } from './risk-inputs.ts';
import { atMost, type CheckTerms, type Finding } from './rule.ts';

type LiveIntent = Pick<IntentRiskInputs, 'side' | 'live'> & OrderCost;
type LiveLimitInput = {
  readonly limit: Exact;
  readonly intent: LiveIntent & { readonly live: LiveOrderInputs };
};

/** A limit for live orders. It applies if its limit is set, and reads only the order and its live facts. */
type LiveLimit = CheckTerms & {
  evaluate(input: LiveLimitInput): Finding;
  limitOf(live: LiveOrderInputs): Exact | null;
};

const given = (usd: string | undefined): Exact | null => (usd === undefined ? null : exact(usd));

/** USD. A sum that excludes this order, plus this order. */
const withOrder = ({ size }: LiveIntent, sum: string | undefined): Exact => size.plus(sum ?? ZERO);

/** Returns the open notional at the connection. Orders placed outside this service count: they spend the same money. */
const openAt = ({ connection }: LiveOrderInputs): string =>
  exact(connection?.openNotional ?? 0)
    .plus(connection?.external ?? 0)
    .toFixed();

export const LIVE_LIMITS: readonly LiveLimit[] = [
  {
    name: 'serviceMaxOrder',
    title: 'Largest order of the service',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ service }) => given(service.maxOrder),
    evaluate: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) =>
      `This order is ${actual} USD; the operator allows up to ${limit} USD an order with real money.`,
  },
  {
    name: 'serviceMaxDay',
    title: 'Total of the service today',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ service }) => given(service.maxDay),
    evaluate: ({ limit, intent }) => atMost(limit, withOrder(intent, intent.live.spentToday)),
    sentence: (limit, actual) =>
      `The account would have bought ${actual} USD with real money since 00:00 UTC; the operator allows up to ${limit} USD a day.`,
  },
  {
    name: 'connectionMaxOrder',
    title: 'Largest order of the connection',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxOrder),
    evaluate: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) =>
      `This order is ${actual} USD; the connection allows up to ${limit} USD an order.`,
  },
  {
    name: 'connectionMaxDay',
    title: 'Total of the connection today',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxDay),
    evaluate: ({ limit, intent }) => atMost(limit, withOrder(intent, intent.live.connection?.spentToday)),
    sentence: (limit, actual) =>
      `The connection would have bought ${actual} USD since 00:00 UTC; it allows up to ${limit} USD a day.`,
  },
  {
    name: 'connectionMaxOpenNotional',
    title: 'Open at the venue of the connection',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxOpenNotional),
    evaluate: ({ limit, intent }) => atMost(limit, withOrder(intent, openAt(intent.live))),
    sentence: (limit, actual) =>
      `The connection would have ${actual} USD of open entries and positions; it allows up to ${limit} USD.`,
  },
  {
    name: 'oppositeSide',
    title: 'Held of the other side',
    unit: 'units',
    looser: 'higher',
    limitOf: ({ otherSide }) => (otherSide === undefined ? null : ZERO),
    evaluate: ({ limit, intent }) => atMost(limit, exact(intent.live.otherSide ?? ZERO)),
    sentence: (_limit, actual) =>
      `The venue nets both sides of a market, and ${actual} of the other side are held or being bought: close them first.`,
  },
  {
    name: 'venueFunds',
    title: 'Money at the venue',
    unit: 'USD',
    looser: 'higher',
    phrase: '{limit}, needs {actual}',
    limitOf: ({ funds }) => given(funds?.available),
    evaluate: ({ limit, intent: { size, maxFee } }) => atMost(limit, size.plus(maxFee)),
    sentence: (limit, actual) =>
      `Needs up to ${actual} USD including fees; the largest balance at the venue is ${limit} USD.`,
  },
];

/**
 * Returns the limits of a live order that apply in addition to the rules; no rule loosens them. Sells are exempt: they only
 * reduce.
 */
export function liveLimitsOf(intent: LiveIntent): { check: LiveLimit; input: LiveLimitInput }[] {
  const { live, side } = intent;
  if (live === undefined || side === 'sell') return [];
  return LIVE_LIMITS.flatMap((check) => {
    const limit = check.limitOf(live);
    return limit === null ? [] : [{ check, input: { limit, intent: { ...intent, live } } }];
  });
}

/** Returns why a queued order must not be sent after all, or null. */
export function liveDenialOf(intent: LiveIntent): Denial | null {
  const denials = liveLimitsOf(intent).map(({ check, input }) => evaluate(check, input).denial);
  return denials.find((denial) => denial !== null) ?? null;
}
