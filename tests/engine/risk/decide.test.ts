import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { decide, type ReceiptLine } from '../../../engine/risk/decide.ts';
import type { Aggregates, Approval, IntentRiskInputs } from '../../../engine/risk/risk-inputs.ts';
import type { RiskRules } from '../../../engine/risk/rules/catalogue.ts';
import { RULES } from './risk-snapshot.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');

const IDLE: Aggregates = {
  exposures: new Map(),
  blueprintStakes: new Map(),
  queuedLastMinute: 0,
  freeCash: exact(10_000),
  dayPnl: exact(0),
  lastLossAt: null,
  trippedAt: null,
  drawdown: null,
  staleMark: null,
  heldAndFree: exact(100),
};

const TOKEN = 'A';

/** This number of other instruments that are held or bought, and these. */
const open = (others: number, ...own: string[]): Pick<Aggregates, 'exposures'> => ({
  exposures: new Map(
    [...Array.from({ length: others }, (_, index) => `other-${index}`), ...own].map((id) => [id, exact(1)]),
  ),
});

type Terms = Partial<{
  side: 'buy' | 'sell';
  amount: string;
  size: string;
  maxFee: string;
  approval: Approval;
}>;

const intent = ({
  side = 'buy',
  amount = '10',
  size = '10',
  maxFee = '0',
  approval = { by: 'nobody' },
}: Terms = {}): IntentRiskInputs => ({
  tokenId: TOKEN,
  side,
  amount: exact(amount),
  size: exact(size),
  maxFee: exact(maxFee),
  approval,
});

const evaluate = (terms: Terms = {}, rules: Partial<RiskRules> = {}, account: Partial<Aggregates> = {}) =>
  decide({ ...RULES, ...rules }, { ...IDLE, ...account }, intent(terms), NOW);

function lineOf(receipt: readonly ReceiptLine[], rule: string): ReceiptLine {
  const line = receipt.find((each) => each.rule === rule);
  if (line === undefined) throw new Error(`no line for ${rule}`);
  return line;
}

/** `[what, terms, rules, account, verdict of the rule's line]` at, below and above each limit. */
type Row = [string, Terms, Partial<RiskRules>, Partial<Aggregates>, ReceiptLine['verdict']];

const ago = (sec: number) => new Date(NOW.getTime() - sec * 1_000);

const BUY_ROWS: Readonly<Record<string, Row[]>> = {
  maxOrderSize: [
    ['size below the limit', { size: '99.99' }, {}, {}, 'pass'],
    ['size at the limit', { size: '100' }, {}, {}, 'pass'],
    ['size above the limit', { size: '100.000000000001' }, {}, {}, 'deny'],
    ['any size at a limit of 0', { size: '0.000000000001' }, { maxOrderSize: '0' }, {}, 'deny'],
  ],
  requireApprovalAbove: [
    ['equal passes', { size: '50' }, {}, {}, 'pass'],
    ['size above the limit', { size: '50.000000000001' }, {}, {}, 'wait'],
    ['any size at a limit of 0', { size: '0.000000000001' }, { requireApprovalAbove: '0' }, {}, 'wait'],
    ['approved by a person', { size: '51', approval: { by: 'person' } }, {}, {}, 'pass'],
  ],
  maxOpenPositions: [
    ['one below, a new one', {}, {}, open(9), 'pass'],
    ['full, a new one', {}, {}, open(10), 'deny'],
    ['full, one of them', {}, {}, open(9, TOKEN), 'pass'],
    ['over a lowered limit, one of them', {}, {}, open(10, TOKEN), 'deny'],
    ['a limit of 0', {}, { maxOpenPositions: 0 }, {}, 'deny'],
  ],
  maxOrdersPerMinute: [
    ['the last one allowed', {}, {}, { queuedLastMinute: 9 }, 'pass'],
    ['one too many', {}, {}, { queuedLastMinute: 10 }, 'deny'],
    ['a limit of 0', {}, { maxOrdersPerMinute: 0 }, {}, 'deny'],
  ],
  maxDailyLoss: [
    ['a profit', {}, {}, { dayPnl: exact(1_000) }, 'pass'],
    ['a loss below the limit', {}, {}, { dayPnl: exact('-249.999999999999') }, 'pass'],
    ['a loss at the limit', {}, {}, { dayPnl: exact(-250) }, 'deny'],
    ['no loss at a limit of 0', {}, { maxDailyLoss: '0' }, {}, 'deny'],
    ['a profit at a limit of 0', {}, { maxDailyLoss: '0' }, { dayPnl: exact(5) }, 'deny'],
    ['a profit, once it has tripped', {}, {}, { dayPnl: exact(5), trippedAt: ago(60) }, 'deny'],
    ['no loss, on marks too old', {}, {}, { staleMark: { tokenId: 'A', ageSec: 31 } }, 'deny'],
  ],
  cooldownAfterLossSec: [
    ['no loss yet', {}, {}, { lastLossAt: null }, 'pass'],
    ['just lost', {}, {}, { lastLossAt: NOW }, 'deny'],
    ['a millisecond left', {}, {}, { lastLossAt: ago(299.999) }, 'deny'],
    ['just over', {}, {}, { lastLossAt: ago(300) }, 'pass'],
    ['a cool-down of 0', {}, { cooldownAfterLossSec: 0 }, { lastLossAt: NOW }, 'pass'],
    ['a loss from a clock that is ahead', {}, { cooldownAfterLossSec: 0 }, { lastLossAt: ago(-5) }, 'deny'],
  ],
  buyingPower: [
    ['size and fee at free cash', { size: '9', maxFee: '1' }, {}, { freeCash: exact(10) }, 'pass'],
    ['a fee too much', { size: '9', maxFee: '1.000000000001' }, {}, { freeCash: exact(10) }, 'deny'],
  ],
};

/** The contract's words for each row of its table. */
const WORDS: Partial<Record<string, string>> = {
  maxOrderSize: '"denied if size > limit"',
  requireApprovalAbove: '"waits if size > limit (equal passes)"',
  maxOpenPositions: '"plus this one if it is new, exceed the limit"',
  maxOrdersPerMinute: '"plus this one exceed the limit"',
  maxDailyLoss: '"denied if day loss ≥ limit"',
  cooldownAfterLossSec: '"denied while now < last loss + seconds"',
  buyingPower: '"a buy beyond free cash is `denied`"',
};

describe('each rule checks a buy at its limit as stated', () => {
  for (const [rule, rows] of Object.entries(BUY_ROWS)) {
    test.each(rows)(`${rule}, ${WORDS[rule]}: %s`, (_what, terms, rules, account, verdict) => {
      const { receipt } = evaluate(terms, rules, account);
      expect(lineOf(receipt, rule).verdict).toBe(verdict);
    });
  }
});

describe('the verdict', () => {
  test('a buy that passes every rule is queued, with a line for each of them in order', () => {
    const { verdict, receipt, denial } = evaluate();
    expect(verdict).toBe('queued');
    expect(denial).toBeNull();
    expect(receipt.map(({ rule }) => rule)).toEqual([
      'maxOrderSize',
      'requireApprovalAbove',
      'maxOpenPositions',
      'maxOrdersPerMinute',
      'maxDailyLoss',
      'cooldownAfterLossSec',
      'buyingPower',
    ]);
  });

  test('a line without remarks has no note', () => {
    expect(Object.keys(lineOf(evaluate().receipt, 'maxOrderSize'))).not.toContain('note');
  });

  test('a buy above requireApprovalAbove is pending', () => {
    expect(evaluate({ size: '60' })).toMatchObject({ verdict: 'pending', denial: null });
  });

  test('a denial outweighs a missing approval', () => {
    expect(evaluate({ size: '60' }, {}, { queuedLastMinute: 10 }).verdict).toBe('denied');
  });

  test('"rule, limit, actual, headroom, verdict": each line carries its numbers', () => {
    expect(lineOf(evaluate({ size: '60.5' }).receipt, 'maxOrderSize')).toEqual({
      rule: 'maxOrderSize',
      limit: '100',
      actual: '60.5',
      headroom: '39.5',
      verdict: 'pass',
    });
    expect(lineOf(evaluate({}, {}, { queuedLastMinute: 3 }).receipt, 'maxOrdersPerMinute')).toEqual({
      rule: 'maxOrdersPerMinute',
      limit: '10',
      actual: '4',
      headroom: '6',
      verdict: 'pass',
    });
    expect(lineOf(evaluate({}, {}, { dayPnl: exact('-12.5') }).receipt, 'maxDailyLoss')).toEqual({
      rule: 'maxDailyLoss',
      limit: '250',
      actual: '12.5',
      headroom: '237.5',
      verdict: 'pass',
    });
    expect(lineOf(evaluate({}, {}, { lastLossAt: ago(100) }).receipt, 'cooldownAfterLossSec')).toEqual({
      rule: 'cooldownAfterLossSec',
      limit: '300',
      actual: '100',
      headroom: '-200',
      verdict: 'deny',
      note: 'last loss at 2026-11-20T11:58:20.000Z',
    });
    expect(lineOf(evaluate().receipt, 'cooldownAfterLossSec')).toEqual({
      rule: 'cooldownAfterLossSec',
      limit: '300',
      actual: null,
      headroom: null,
      verdict: 'pass',
      note: 'no loss yet',
    });
    expect(lineOf(evaluate({ size: '9', maxFee: '0.5' }).receipt, 'buyingPower')).toEqual({
      rule: 'buyingPower',
      limit: '10000',
      actual: '9.5',
      headroom: '9990.5',
      verdict: 'pass',
    });
    expect(lineOf(evaluate({}, {}, open(2)).receipt, 'maxOpenPositions')).toMatchObject({
      limit: '10',
      actual: '3',
      headroom: '7',
    });
  });

  test.each<[string, Terms, Partial<Aggregates>, string]>([
    ['maxOrderSize', { size: '101' }, {}, 'maxOrderSize is 100 USD, this order is 101 USD.'],
    ['maxOpenPositions', {}, open(10), 'maxOpenPositions is 10, with this order it would be 11.'],
    [
      'maxOrdersPerMinute',
      {},
      { queuedLastMinute: 10 },
      'maxOrdersPerMinute is 10, this order would be number 11 in 60 seconds.',
    ],
    [
      'maxDailyLoss',
      {},
      { dayPnl: exact(-251) },
      'maxDailyLoss is 250 USD, the loss since 00:00 UTC is 251 USD.',
    ],
    [
      'cooldownAfterLossSec',
      {},
      { lastLossAt: ago(10) },
      'cooldownAfterLossSec is 300, the last loss was 10 seconds ago.',
    ],
    [
      'buyingPower',
      { maxFee: '1' },
      { freeCash: exact(5) },
      'Needs up to 11 USD including fees; 5 USD is available.',
    ],
  ])('"refusals say rule, limit, value": %s', (rule, terms, account, message) => {
    expect(evaluate(terms, {}, account).denial).toMatchObject({ rule, message });
  });

  test('"denied (`stale_marks`)": a buy on marks too old or missing states which, and how old', () => {
    const denied = (ageSec: number | null) => evaluate({}, {}, { staleMark: { tokenId: 'A', ageSec } });
    expect(denied(67).denial).toEqual({
      rule: 'maxDailyLoss',
      code: 'stale_marks',
      limit: '250',
      actual: '0',
      message: 'maxDailyLoss needs marks at most 30 s old: the last bid for A is 67 s old.',
    });
    expect(lineOf(denied(67).receipt, 'maxDailyLoss').note).toBe(
      'stale_marks: the last bid for A is 67 s old',
    );
    expect(denied(null).denial?.message).toBe(
      'maxDailyLoss needs marks at most 30 s old: there is no bid for A yet.',
    );
    expect(lineOf(denied(null).receipt, 'maxDailyLoss').note).toBe('stale_marks: there is no bid for A yet');
  });

  test('a loss at its limit is the reason, on old marks too', () => {
    const staleMark = { tokenId: 'A', ageSec: 31 };
    const { denial, receipt } = evaluate({}, {}, { staleMark, dayPnl: exact(-250) });
    expect(denial).toMatchObject({ code: 'maxDailyLoss', message: expect.stringContaining('is 250 USD.') });
    expect(lineOf(receipt, 'maxDailyLoss').note).toBeUndefined();
  });

  test('"It latches": once tripped, the receipt states since when, whatever the loss is now', () => {
    const { denial, receipt } = evaluate({}, {}, { trippedAt: ago(60), dayPnl: exact(5) });
    expect(denial).toEqual({
      rule: 'maxDailyLoss',
      code: 'maxDailyLoss',
      limit: '250',
      actual: '0',
      message:
        'maxDailyLoss was reached at 2026-11-20T11:59:00.000Z: buys are denied until 00:00 UTC, or until this rule is changed.',
    });
    expect(lineOf(receipt, 'maxDailyLoss')).toMatchObject({
      actual: '0',
      note: 'tripped at 2026-11-20T11:59:00.000Z',
    });
  });

  test('"a close asked by a web session is its own approval (`approved by its request`)"', () => {
    const { verdict, receipt } = evaluate({ side: 'sell', size: '51', approval: { by: 'request' } });
    expect(verdict).toBe('queued');
    expect(lineOf(receipt, 'requireApprovalAbove').note).toBe('approved by its request');
  });

  test('an approval by a person is noted', () => {
    const { verdict, receipt } = evaluate({ size: '51', approval: { by: 'person' } });
    expect(verdict).toBe('queued');
    expect(lineOf(receipt, 'requireApprovalAbove').note).toBe('approved');
  });

  test('if several rules deny, the first of the table is named', () => {
    const denied = evaluate({ size: '101' }, {}, { queuedLastMinute: 10, freeCash: exact(0) });
    expect(denied.denial).toEqual({
      rule: 'maxOrderSize',
      code: 'maxOrderSize',
      limit: '100',
      actual: '101',
      message: 'maxOrderSize is 100 USD, this order is 101 USD.',
    });
  });
});

describe('"Sells are judged by `requireApprovalAbove` only"', () => {
  const WORST: Partial<Aggregates> = {
    ...open(99),
    dayPnl: exact(-10_000),
    trippedAt: NOW,
    staleMark: { tokenId: 'A', ageSec: null },
    queuedLastMinute: 99,
    lastLossAt: NOW,
    freeCash: exact(-1),
  };

  test('"the receipt shows the other five as `skipped: reduces`"', () => {
    const { verdict, receipt } = evaluate({ side: 'sell' }, { maxOrderSize: '0' }, WORST);
    expect(verdict).toBe('queued');
    expect(receipt.map(({ rule, verdict, note }) => [rule, verdict, note])).toEqual([
      ['maxOrderSize', 'skipped', 'reduces'],
      ['requireApprovalAbove', 'pass', undefined],
      ['maxOpenPositions', 'skipped', 'reduces'],
      ['maxOrdersPerMinute', 'skipped', 'reduces'],
      ['maxDailyLoss', 'skipped', 'reduces'],
      ['cooldownAfterLossSec', 'skipped', 'reduces'],
      ['heldAndFree', 'pass', undefined],
    ]);
    expect(receipt[0]).toEqual({
      rule: 'maxOrderSize',
      limit: '0',
      actual: null,
      headroom: null,
      verdict: 'skipped',
      note: 'reduces',
    });
  });

  test('"so 0 really means exits only"', () => {
    expect(evaluate({ side: 'sell' }, { maxOrderSize: '0' }).verdict).toBe('queued');
    expect(evaluate({ side: 'buy' }, { maxOrderSize: '0' }).verdict).toBe('denied');
  });

  test('a sell is pending above the limit, and is not counted by the minute', () => {
    expect(evaluate({ side: 'sell', size: '51' }).verdict).toBe('pending');
    expect(evaluate({ side: 'sell' }, { maxOrdersPerMinute: 0 }, { queuedLastMinute: 10 }).verdict).toBe(
      'queued',
    );
  });

  test('"Sells of an `exit` node carry the standing approval of the deploy (`preapproved: release n`)"', () => {
    const { verdict, receipt } = evaluate({
      side: 'sell',
      size: '51',
      approval: { by: 'deploy', release: 7 },
    });
    expect(verdict).toBe('queued');
    expect(lineOf(receipt, 'requireApprovalAbove')).toMatchObject({
      verdict: 'pass',
      note: 'preapproved: release 7',
      headroom: '-1',
    });
  });

  test('"selling more than is held and free is refused"', () => {
    expect(evaluate({ side: 'sell', amount: '100' }).verdict).toBe('queued');
    const denied = evaluate({ side: 'sell', amount: '100.000000000001' });
    expect(denied.verdict).toBe('denied');
    expect(denied.denial?.message).toBe('100 are held and free, this order would sell 100.000000000001.');
  });
});
