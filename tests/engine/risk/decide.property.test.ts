import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { decide } from '../../../engine/risk/decide.ts';
import type { Aggregates, IntentRiskInputs } from '../../../engine/risk/risk-inputs.ts';
import type { RiskRules } from '../../../engine/risk/rules/catalogue.ts';
import { account, intent, rules } from './arbitraries.ts';
import { NOW } from './risk-snapshot.ts';

/** The rules once more, in the words of the contract's table and nothing else. */
function allowed(r: RiskRules, a: Aggregates, i: IntentRiskInputs): 'queued' | 'pending' | 'denied' {
  const rate = a.queuedLastMinute + 1 > r.maxOrdersPerMinute;
  const waits = i.size.gt(r.requireApprovalAbove) && i.approval.by === 'nobody';
  const denied =
    i.side === 'sell'
      ? i.amount.gt(a.heldAndFree)
      : rate ||
        i.size.gt(r.maxOrderSize) ||
        new Set([...a.exposures.keys(), i.tokenId]).size > r.maxOpenPositions ||
        a.dayPnl.negated().gte(r.maxDailyLoss) ||
        r.maxDailyLoss === '0' ||
        a.trippedAt !== null ||
        a.staleMark !== null ||
        (a.lastLossAt !== null && NOW.getTime() < a.lastLossAt.getTime() + r.cooldownAfterLossSec * 1_000) ||
        i.size.plus(i.maxFee).gt(a.freeCash);
  return denied ? 'denied' : waits ? 'pending' : 'queued';
}

test('for any rules, account and intent the decision is that of the table', () => {
  fc.assert(
    fc.property(rules, account, intent, (r, a, i) => {
      expect(decide(r, a, i, NOW).verdict).toBe(allowed(r, a, i));
    }),
    { numRuns: 3_000 },
  );
});

test('the verdict follows from the lines, and the denial is the first line that denies', () => {
  fc.assert(
    fc.property(rules, account, intent, (r, a, i) => {
      const { verdict, receipt, denial } = decide(r, a, i, NOW);
      const denying = receipt.find((line) => line.verdict === 'deny');
      expect(verdict === 'denied').toBe(denying !== undefined);
      expect(denial?.rule).toBe(denying?.rule);
      if (verdict === 'queued') expect(receipt.every((line) => line.verdict !== 'wait')).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a line with numbers has the headroom of its limit and actual value, except for a cool-down', () => {
  fc.assert(
    fc.property(rules, account, intent, (r, a, i) => {
      for (const { rule, limit, actual, headroom } of decide(r, a, i, NOW).receipt) {
        if (actual === null || headroom === null) continue;
        const left =
          rule === 'cooldownAfterLossSec' ? exact(actual).minus(limit) : exact(limit).minus(actual);
        expect(headroom).toBe(left.toFixed());
      }
    }),
    { numRuns: 500 },
  );
});

test('a second decision gives the same receipt, and no input is changed', () => {
  fc.assert(
    fc.property(rules, account, intent, (r, a, i) => {
      const before = JSON.stringify([r, a, i]);
      expect(decide(r, a, i, NOW)).toEqual(decide(r, a, i, NOW));
      expect(JSON.stringify([r, a, i])).toBe(before);
    }),
    { numRuns: 200 },
  );
});
