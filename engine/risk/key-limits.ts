import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { IntentRiskInputs, SpendingLimitInputs } from './risk-inputs.ts';
import { atMost, type CheckTerms, type Finding } from './rule.ts';

/** An order with the spending limits of the key that placed or deployed it. */
type LimitedIntent = IntentRiskInputs & { readonly envelope: SpendingLimitInputs };
type KeyLimitInput = { readonly limit: Exact; readonly intent: LimitedIntent };

type KeyLimit = CheckTerms & {
  evaluate(input: KeyLimitInput): Finding;
  /** Whether sells are exempt, so that it never blocks an exit. */
  readonly onlyBuys: boolean;
  /** Null if the key has no such limit. */
  limitOf(envelope: SpendingLimitInputs): Exact | null;
};

const given = (amount: string | undefined): Exact | null => (amount === undefined ? null : exact(amount));
const ONE = exact(1);

/** Each check has a receipt line only if the key has that limit, or violates it. */
export const KEY_LIMITS: readonly KeyLimit[] = [
  {
    name: 'keyMaxOrder',
    title: 'Largest order of the key',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ maxOrder }) => given(maxOrder),
    evaluate: ({ limit, intent }) => atMost(limit, intent.size),
    sentence: (limit, actual) => `This order is ${actual} USD; the key allows up to ${limit} USD an order.`,
  },
  {
    name: 'keyMaxDay',
    title: 'Total of the key today',
    unit: 'USD',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ maxDay }) => given(maxDay),
    evaluate: ({ limit, intent }) => atMost(limit, intent.size.plus(intent.envelope.spentToday)),
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
    evaluate: ({ limit }) => atMost(limit, ONE),
    sentence: () => 'The key was not made for this blueprint.',
  },
  {
    name: 'keyEnded',
    title: 'Orders of a key that has ended',
    unit: 'orders',
    looser: 'higher',
    onlyBuys: true,
    limitOf: ({ hasEnded }) => (hasEnded ? ZERO : null),
    evaluate: ({ limit }) => atMost(limit, ONE),
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
    evaluate: ({ intent: { size } }) => ({ actual: size, verdict: 'wait' }),
    sentence: () => 'Every order of this key waits for approval.',
  },
];

/** Returns the key's limits that apply to an order. None apply to an exit that its deploy approved. */
export function keyLimitsOf(intent: IntentRiskInputs): { check: KeyLimit; input: KeyLimitInput }[] {
  const { envelope, side, approval } = intent;
  if (envelope === undefined || approval.by === 'deploy') return [];
  return KEY_LIMITS.flatMap((check) => {
    const limit = check.limitOf(envelope);
    if (limit === null || (side === 'sell' && check.onlyBuys)) return [];
    return [{ check, input: { limit, intent: { ...intent, envelope } } }];
  });
}
