import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { EnvelopeFacts, IntentFacts } from './facts.ts';
import { atMost, type CheckTerms, type Finding } from './rule.ts';

/** An order with the spending limits of the key that placed or deployed it. */
type Bounded = IntentFacts & { readonly envelope: EnvelopeFacts };
type Asked = { readonly limit: Exact; readonly intent: Bounded };

type Bound = CheckTerms & {
  judge(asked: Asked): Finding;
  /** Whether sells are exempt, so that it never blocks an exit. */
  readonly onlyBuys: boolean;
  /** Null if the key has no such limit. */
  limitOf(envelope: EnvelopeFacts): Exact | null;
};

const given = (amount: string | undefined): Exact | null => (amount === undefined ? null : exact(amount));
const ONE = exact(1);

/** Each check has a receipt line only if the key has that limit, or violates it. */
const BOUNDS: readonly Bound[] = [
  {
    name: 'keyMaxOrder',
    title: 'Largest order of the key',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ maxOrder }) => given(maxOrder),
    judge: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) => `This order is ${actual} USD; the key allows up to ${limit} USD an order.`,
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
      `The key would have bought ${actual} USD since 00:00 UTC; it allows up to ${limit} USD a day.`,
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
      'The key behind this order is revoked or has expired: deployments of the key can no longer buy.',
  },
  {
    name: 'keyAlwaysApprove',
    title: 'Approval of what the key asks for',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: false,
    limitOf: ({ alwaysApprove }) => (alwaysApprove ? ZERO : null),
    judge: ({ intent: { size } }) => ({ actual: size, verdict: 'wait' }),
    sentence: () => 'Every order of this key waits for approval.',
  },
];

/** Returns the key's limits that apply to an order. None apply to an exit that its deploy approved. */
export function boundsOf(intent: IntentFacts): { check: Bound; asked: Asked }[] {
  const { envelope, side, approval } = intent;
  if (envelope === undefined || approval.by === 'deploy') return [];
  return BOUNDS.flatMap((check) => {
    const limit = check.limitOf(envelope);
    if (limit === null || (side === 'sell' && check.onlyBuys)) return [];
    return [{ check, asked: { limit, intent: { ...intent, envelope } } }];
  });
}
