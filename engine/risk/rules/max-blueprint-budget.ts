import { type Exact, ZERO } from '../../platform/decimal.ts';
import { largestOf, stakeOf } from '../exposure.ts';
import type { Aggregates, IntentRiskInputs } from '../risk-inputs.ts';
import { atMost, defineRule } from '../rule.ts';

export const maxBlueprintBudget = defineRule({
  name: 'maxBlueprintBudget',
  title: 'Budget per blueprint',
  usageTitle: 'Largest at stake by one blueprint',
  unit: 'USD',
  column: 'max_blueprint_budget',
  default: null,
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'At stake by one blueprint: what it holds at cost, and what its buys may still cost.',
  description:
    'USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off.',
  evaluate: ({ limit, account, intent }) => atMost(limit, spentBy(intent, account).plus(stakeOf(intent))),
  usage: ({ account: { blueprintStakes } }) => ({ used: largestOf(blueprintStakes) }),
  sentence: (limit, actual) =>
    `maxBlueprintBudget is ${limit} USD, with this order its blueprint would have ${actual} USD at stake.`,
});

/** Returns the stake of the order's blueprint; 0 for a hypothetical order without one. */
const spentBy = ({ blueprintId }: IntentRiskInputs, { blueprintStakes }: Aggregates): Exact =>
  (blueprintId === undefined ? undefined : blueprintStakes.get(blueprintId)) ?? ZERO;
