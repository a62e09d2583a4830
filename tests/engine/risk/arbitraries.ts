import fc from 'fast-check';
import { type Exact, exact } from '../../../engine/platform/decimal.ts';
import { startDrawdownState } from '../../../engine/risk/drawdown-state.ts';
import type { Aggregates, IntentRiskInputs } from '../../../engine/risk/risk-inputs.ts';
import type { HeldInstrument, RiskSnapshot } from '../../../engine/risk/risk-snapshot.ts';
import type { RiskRule } from '../../../engine/risk/rule.ts';
import { type RiskRules, RULES } from '../../../engine/risk/rules/catalogue.ts';
import { NOW } from './risk-snapshot.ts';

export const ago = (sec: number): Date => new Date(NOW.getTime() - sec * 1_000);

const money = (max: number): fc.Arbitrary<Exact> =>
  fc.integer({ min: 0, max: max * 100 }).map((cents) => exact(cents).div(100));
const signed = (max: number): fc.Arbitrary<Exact> => fc.integer({ min: -max, max }).map(exact);
const past = (maxSec: number): fc.Arbitrary<Date | null> => fc.option(fc.nat(maxSec).map(ago), { freq: 2 });

/** A limit near the measured values below, so that it is reached about as often as not. */
export const limitFor = ({ unit }: RiskRule): fc.Arbitrary<string | number> =>
  unit === 'USD' ? money(200).map(String) : fc.nat(unit === 'seconds' ? 600 : 5);

const ALWAYS_ON = RULES.filter((rule: RiskRule) => rule.default !== null);

/** Limits of the rules that every account has. */
export const rules: fc.Arbitrary<RiskRules> = fc
  .tuple(...ALWAYS_ON.map(limitFor))
  .map(
    (limits) => Object.fromEntries(ALWAYS_ON.map(({ name }, index) => [name, limits[index]])) as RiskRules,
  );

const tokenId = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H');

const blueprintId = fc.constantFrom('one', 'two', 'three');

export const account: fc.Arbitrary<Aggregates> = fc.record({
  exposures: fc
    .uniqueArray(fc.tuple(tokenId, money(100)), { selector: ([id]) => id })
    .map((all) => new Map(all)),
  blueprintStakes: fc.dictionary(blueprintId, money(100)).map((all) => new Map(Object.entries(all))),
  queuedLastMinute: fc.nat(6),
  freeCash: money(300),
  dayPnl: signed(300),
  lastLossAt: past(700),
  trippedAt: past(700),
  drawdown: fc.option(fc.record({ below: money(300), trippedAt: past(700) }), { freq: 2 }),
  staleMark: fc.option(fc.record({ tokenId: fc.constant('A'), ageSec: fc.option(fc.nat(90)) }), { freq: 2 }),
  heldAndFree: money(100),
});

export const intent: fc.Arbitrary<IntentRiskInputs> = fc.record({
  tokenId,
  side: fc.constantFrom('buy', 'sell'),
  amount: money(100).filter((amount) => amount.gt(0)),
  size: money(300),
  maxFee: money(3),
  blueprintId,
  approval: fc.oneof(
    fc.constant({ by: 'nobody' as const }),
    fc.constant({ by: 'person' as const }),
    fc.constant({ by: 'request' as const }),
    fc.nat(9).map((release) => ({ by: 'deploy' as const, release })),
  ),
});

const heldInstrument: fc.Arbitrary<HeldInstrument> = fc
  .record({ amount: money(50), totalCost: money(100), price: money(3), markAt: fc.nat(40).map(ago) })
  .map(({ price, ...holding }) => ({ tokenId: 'A', ...holding, mark: price, steadyMark: price }));

export const snapshot: fc.Arbitrary<RiskSnapshot> = fc.record({
  rules,
  rulesVersion: fc.constant(1),
  buying: fc.uniqueArray(fc.record({ tokenId, reserve: money(40) }), { selector: (each) => each.tokenId }),
  stakes: fc.uniqueArray(fc.record({ blueprintId, atStake: money(40) }), {
    selector: (each) => each.blueprintId,
  }),
  queuedLastMinute: fc.nat(6),
  cash: money(300),
  realizedPnl: signed(200),
  watch: fc.option(signed(200).map((mark) => startDrawdownState(mark, ago(700)))),
  lastLossAt: past(700),
  trippedAt: fc.option(fc.nat(700).map(ago), { freq: 5 }),
  held: fc.array(heldInstrument, { maxLength: 1 }),
  day: fc.option(fc.record({ realizedPnl: signed(200), openingUnrealizedPnl: signed(20) })),
});
