import { describe, expect, test } from 'vitest';
import { BALANCE_CHECKS } from '../../engine/risk/balance-checks.ts';
import { RULES } from '../../engine/risk/rules/catalogue.ts';
import { ruleWords } from '../../web/src/format/rule-words.ts';

const words = ruleWords([...RULES, ...BALANCE_CHECKS]);

describe('names and units come from the service’s description', () => {
  test('a reason has titles of rules and formatted times and money, and no code', () => {
    expect(words.reason('last loss at 2025-11-20T12:04:31.123Z')).toBe('last loss at 20 Nov 2025 12:04 UTC');
    expect(words.reason('stale_marks: there is no bid for BTCUSDT yet')).toBe(
      'there is no bid for BTCUSDT yet',
    );
    expect(words.reason('maxOrderSize allows 50 USD, got 80.00001 USD')).toBe(
      'Largest order allows $50.00, got $80.00',
    );
  });

  test('a word of a sentence stays, though a check has it as its name', () => {
    const routed = ruleWords([{ name: 'connection', title: 'Orders without a route', unit: 'USD' }]);
    expect(routed.reason('Check the connection.')).toBe('Check the connection.');
  });

  test('a line has value and limit, always both, in the unit of its rule', () => {
    const line = (rule: string, actual: number | null, limit: number, verdict: string) =>
      words.line({ rule, actual, limit, verdict });
    expect(line('maxOrderSize', 80, 100, 'pass')).toBe('$80.00 ≤ $100.00');
    expect(line('maxOrderSize', 101, 100, 'deny')).toBe('$101.00 > $100.00');
    expect(line('maxDailyLoss', 250, 250, 'deny')).toBe('$250.00 ≥ $250.00');
    expect(line('maxOpenPositions', 3, 10, 'pass')).toBe('3 ≤ 10');
    expect(line('cooldownAfterLossSec', 12.4, 300, 'deny')).toBe('12 s of 300 s');
    expect(line('buyingPower', 11, 5, 'deny')).toBe('$5.00, needs $11.00');
    expect(line('heldAndFree', 3, 4, 'pass')).toBe('4, sells 3');
    expect(line('maxOrderSize', null, 100, 'skipped')).toBe('');
  });

  test('a usage bar names what is counted, a line what is limited', () => {
    expect(words.title('maxOpenPositions')).toBe('Open positions');
    expect(words.usageTitle('maxOpenPositions')).toBe('Held or being bought');
    expect(words.title('buyingPower')).toBe('Free cash');
    expect(words.usageTitle('buyingPower')).toBe('Cash set aside');
    expect(words.usageTitle('maxDailyLoss')).toBe('Daily loss');
  });

  test('a rule without a description has its own name, in USD', () => {
    expect(ruleWords([]).title('maxOrderSize')).toBe('maxOrderSize');
    expect(ruleWords([]).value('maxOrderSize', 5)).toBe('$5.00');
    expect(words.value('maxOrderSize', null)).toBe('—');
  });
});
