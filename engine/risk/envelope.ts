import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { EnvelopeFacts, IntentFacts } from './facts.ts';
import { atMost, type Check, type Finding } from './rule.ts';

/** An order with the envelope of the key behind it. */
type Bounded = IntentFacts & { readonly envelope: EnvelopeFacts };
type Asked = { readonly limit: Exact; readonly intent: Bounded };

type Bound = Omit<Check, 'judge'> & {
  judge(asked: Asked): Finding;
  /** What gets out of a position is not held up by it. */
  readonly onlyBuys: boolean;
  /** Null where the envelope has no such bound. */
  limitOf(envelope: EnvelopeFacts): Exact | null;
};

const given = (amount: string | undefined): Exact | null => (amount === undefined ? null : exact(amount));
const ONE = exact(1);

/** Each line is there only where the envelope has that bound, or it is broken. */
const BOUNDS: readonly Bound[] = [
  {
    name: 'keyMaxOrder',
    title: 'Largest order of the key',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ maxOrder }) => given(maxOrder),
    judge: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) =>
      `The key's envelope allows orders of ${limit} USD, this one is ${actual} USD.`,
  },
  {
    name: 'keyMaxDay',
    title: 'Total of the key today',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ maxDay }) => given(maxDay),
    judge: ({ limit, intent }) => atMost(limit, intent.size.plus(intent.envelope.spentToday)),
    sentence: (limit, actual) =>
      `The key's envelope allows ${limit} USD since 00:00 UTC, with this order it would be ${actual} USD.`,
  },
  {
    name: 'keyBlueprints',
    title: 'Blueprints outside of the key',
    unit: 'orders',
    looser: 'higher',
    onlyBuys: false,
    limitOf: ({ isOutside }) => (isOutside ? ZERO : null),
    judge: ({ limit }) => atMost(limit, ONE),
    sentence: () => 'The key was not made for this blueprint.',
  },
  {
    name: 'keyEnded',
    title: 'Orders of a key that has ended',
    unit: 'orders',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ hasEnded }) => (hasEnded ? ZERO : null),
    judge: ({ limit }) => atMost(limit, ONE),
    sentence: () =>
      'The key behind this order is revoked or has expired: what it deployed buys nothing more.',
  },
  {
    name: 'keyAlwaysApprove',
    title: 'Approval of what the key asks for',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: false,
    limitOf: ({ alwaysApprove }) => (alwaysApprove ? ZERO : null),
    judge: ({ intent: { size } }) => ({ actual: size, verdict: 'wait' }),
    sentence: () => 'Whatever the key asks for waits for a person.',
  },
];

/** What the envelope of an order says of it. An exit that its deploy approved is asked nothing: it only gets out. */
export function boundsOf(intent: IntentFacts): { check: Bound; asked: Asked }[] {
  const { envelope, side, approval } = intent;
  if (envelope === undefined || approval.by === 'deploy') return [];
  return BOUNDS.flatMap((check) => {
    const limit = check.limitOf(envelope);
    if (limit === null || (side === 'sell' && check.onlyBuys)) return [];
    return [{ check, asked: { limit, intent: { ...intent, envelope } } }];
  });
}
