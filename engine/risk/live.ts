import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { IntentFacts, LiveFacts } from './facts.ts';
import { type Denial, judge } from './judged.ts';
import { atMost, type Check, type Finding } from './rule.ts';

type LiveIntent = Pick<IntentFacts, 'side' | 'size' | 'worstFee' | 'live'>;
type Asked = { readonly limit: Exact; readonly intent: LiveIntent & { readonly live: LiveFacts } };

/** What bounds real money. It is there where its limit is given, and looks at nothing but the order and those facts. */
type Bound = Omit<Check, 'judge'> & {
  judge(asked: Asked): Finding;
  limitOf(live: LiveFacts): Exact | null;
};

const given = (usd: string | undefined): Exact | null => (usd === undefined ? null : exact(usd));

/** USD. What stands after this order, of a sum that leaves it out. */
const withOrder = ({ size }: LiveIntent, sum: string | undefined): Exact => size.plus(sum ?? ZERO);

/** What is open through the connection, orders of others among it: they spend the same money. */
const openAt = ({ connection }: LiveFacts): string =>
  exact(connection?.openNotional ?? 0)
    .plus(connection?.external ?? 0)
    .toFixed();

const BOUNDS: readonly Bound[] = [
  {
    name: 'serviceMaxOrder',
    title: 'Largest order of the service',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ service }) => given(service.maxOrder),
    judge: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) =>
      `The operator allows orders of ${limit} USD with real money, this one is ${actual} USD.`,
  },
  {
    name: 'serviceMaxDay',
    title: 'Total of the service today',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ service }) => given(service.maxDay),
    judge: ({ limit, intent }) => atMost(limit, withOrder(intent, intent.live.spentToday)),
    sentence: (limit, actual) =>
      `The operator allows an account ${limit} USD of real money since 00:00 UTC, with this order it would be ${actual} USD.`,
  },
  {
    name: 'connectionMaxOrder',
    title: 'Largest order of the connection',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxOrder),
    judge: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) => `The connection allows orders of ${limit} USD, this one is ${actual} USD.`,
  },
  {
    name: 'connectionMaxDay',
    title: 'Total of the connection today',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxDay),
    judge: ({ limit, intent }) => atMost(limit, withOrder(intent, intent.live.connection?.spentToday)),
    sentence: (limit, actual) =>
      `The connection allows ${limit} USD since 00:00 UTC, with this order it would be ${actual} USD.`,
  },
  {
    name: 'connectionMaxOpenNotional',
    title: 'Open at the venue of the connection',
    unit: 'USD',
    looser: 'higher',
    limitOf: ({ connection }) => given(connection?.maxOpenNotional),
    judge: ({ limit, intent }) => atMost(limit, withOrder(intent, openAt(intent.live))),
    sentence: (limit, actual) =>
      `The connection allows ${limit} USD of open entries and positions, with this order it would be ${actual} USD.`,
  },
  {
    name: 'oppositeSide',
    title: 'Held of the other side',
    unit: 'units',
    looser: 'higher',
    limitOf: ({ otherSide }) => (otherSide === undefined ? null : ZERO),
    judge: ({ limit, intent }) => atMost(limit, exact(intent.live.otherSide ?? ZERO)),
    sentence: (_limit, actual) =>
      `The venue nets both sides of a market, and ${actual} of the other one are held or being bought: close that first.`,
  },
  {
    name: 'venueFunds',
    title: 'Money at the venue',
    unit: 'USD',
    looser: 'higher',
    phrase: '{limit}, needs {actual}',
    limitOf: ({ funds }) => given(funds?.available),
    judge: ({ limit, intent: { size, worstFee } }) => atMost(limit, size.plus(worstFee)),
    sentence: (limit, actual) =>
      `The venue has ${limit} USD to buy with in one place, this order can cost ${actual} USD with its fee.`,
  },
];

/**
 * What holds of an order with real money besides the rules, and is loosened by none of them. Sells are asked nothing: they
 * only get out.
 */
export function liveBoundsOf(intent: LiveIntent): { check: Bound; asked: Asked }[] {
  const { live, side } = intent;
  if (live === undefined || side === 'sell') return [];
  return BOUNDS.flatMap((check) => {
    const limit = check.limitOf(live);
    return limit === null ? [] : [{ check, asked: { limit, intent: { ...intent, live } } }];
  });
}

/** Why an order that was cleared must not leave after all, or null. */
export function liveDenialOf(intent: LiveIntent): Denial | null {
  const denials = liveBoundsOf(intent).map(({ check, asked }) => judge(check, asked).denial);
  return denials.find((denial) => denial !== null) ?? null;
}
