import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { accountValuesOf } from '../../../engine/risk/account-values.ts';
import { rowOfDrawdownState, startDrawdownState } from '../../../engine/risk/drawdown-state.ts';
import {
  parseRiskSnapshot,
  type RiskSnapshot,
  type RiskSnapshotRow,
  reservedOf,
} from '../../../engine/risk/risk-snapshot.ts';
import { DEFAULT_LIMITS } from '../../../engine/risk/rule-limits.ts';
import { ruleUsageOf } from '../../../engine/risk/rule-usage.ts';
import { held, NOW, SNAPSHOT } from './risk-snapshot.ts';

const ROW: RiskSnapshotRow = {
  ...DEFAULT_LIMITS,
  max_order_size: '100.000000000000',
  max_daily_loss: '250.000000000000',
  max_open_positions: 10,
  max_orders_per_minute: 10,
  cooldown_after_loss_sec: 300,
  require_approval_above: '50.000000000000',
  version: 3,
  cash: '1000.000000000000',
  last_loss_at: null,
  tripped_at: null,
  realized_pnl: '-2',
  watch: null,
  day_realized_pnl: '-2.000000000000',
  opening_unrealized_pnl: '-0.700000000000',
  queued_last_minute: 4,
  buying: [
    { tokenId: 'B', reserve: '10.500000000000000000' },
    { tokenId: 'C', reserve: '2.000000000000000000' },
  ],
  stakes: [
    { blueprintId: 'one', atStake: '15.500000000000000000' },
    { blueprintId: 'two', atStake: '3.000000000000000000' },
  ],
  held: [
    {
      tokenId: 'A',
      amount: '10.000000000000',
      totalCost: '5.000000000000',
      mark: '0.480000000000',
      markAt: '2026-11-20T11:59:58.501+00:00',
      steadyMark: '0.480000000000',
    },
    {
      tokenId: 'B',
      amount: '3',
      totalCost: '1',
      mark: '0.000000000000',
      markAt: '2026-11-20T11:59:58+00:00',
      steadyMark: '0.000000000000',
    },
  ],
};

const buying = (usd: number) => [{ tokenId: 'C', reserve: exact(usd) }];
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the risk snapshot of a decision', () => {
  test('is the row of the database, in exact numbers', () => {
    expect(parseRiskSnapshot(ROW)).toEqual(SNAPSHOT);
  });

  test('knows the last loss', () => {
    expect(parseRiskSnapshot({ ...ROW, last_loss_at: '2026-11-20 11:59:00+00' }).lastLossAt).toEqual(
      ago(60_000),
    );
  });

  test('knows since when the account is tripped', () => {
    expect(parseRiskSnapshot({ ...ROW, tripped_at: '2026-11-20 11:59:00+00' }).trippedAt).toEqual(
      ago(60_000),
    );
  });

  test('knows the state of the drawdown stop', () => {
    const watch = startDrawdownState(exact(20), ago(60_000));
    expect(parseRiskSnapshot({ ...ROW, watch: rowOfDrawdownState(watch) }).watch).toEqual(watch);
  });

  test('has no mark of an instrument without quotes', () => {
    const [first] = ROW.held;
    if (first === undefined) throw new Error('Nothing is held.');
    const unquoted = { ...first, mark: null, markAt: null, steadyMark: null };
    expect(parseRiskSnapshot({ ...ROW, held: [unquoted] }).held).toEqual([held('A', '10', '5', null)]);
  });

  test('has no day until it has been opened', () => {
    expect(
      parseRiskSnapshot({ ...ROW, day_realized_pnl: null, opening_unrealized_pnl: null }).day,
    ).toBeNull();
    expect(parseRiskSnapshot({ ...ROW, day_realized_pnl: null }).day).toBeNull();
    expect(parseRiskSnapshot({ ...ROW, opening_unrealized_pnl: null }).day).toBeNull();
  });

  test('reserves to the 12 places of the ledger, half-even', () => {
    const reserved = (...reserves: string[]) =>
      reservedOf({
        buying: reserves.map((reserve) => ({ tokenId: 'A', reserve: exact(reserve) })),
      }).toFixed();
    expect(reserved('0.0000000000025')).toBe('0.000000000002');
    expect(reserved('0.0000000000003', '0.0000000000003')).toBe('0.000000000001');
    expect(reserved()).toBe('0');
  });
});

describe('the account data of a sizing node', () => {
  const facts = (terms: Partial<RiskSnapshot> = {}) => accountValuesOf({ ...SNAPSHOT, ...terms }, NOW, 42);

  test('equity is cash and positions at their bids; a holding without a quote is worth nothing', () => {
    expect(facts()).toMatchObject({ equity: 1_004.8, freeCash: 987.5, orderHeadroom: 100, asOf: 42 });
  });

  test('the day and the exposure in each instrument are those that the rules measure', () => {
    const { dayPnl, exposures } = facts();
    expect(dayPnl).toBe(-2.5);
    expect(exposures).toEqual({ A: 5, B: 11.5, C: 2 });
  });

  test('no buy is larger than the free cash, which is never below zero', () => {
    expect(facts({ buying: buying(940) })).toMatchObject({ freeCash: 60, orderHeadroom: 60 });
    expect(facts({ buying: buying(1_001) })).toMatchObject({ freeCash: 0, orderHeadroom: 0 });
  });

  test('there is no room while a loss cools down, and there is from the second it is over', () => {
    expect(facts({ lastLossAt: ago(299_999) }).orderHeadroom).toBe(0);
    expect(facts({ lastLossAt: ago(300_000) }).orderHeadroom).toBe(100);
  });

  test('there is no room once the daily loss has reached its limit', () => {
    const lost = (realized: string) => ({
      held: [],
      day: { realizedPnl: exact(realized), openingUnrealizedPnl: exact(0) },
    });
    expect(facts(lost('-249.999999999999')).orderHeadroom).toBe(100);
    expect(facts(lost('-250')).orderHeadroom).toBe(0);
    expect(facts(lost('9999')).orderHeadroom).toBe(100);
    expect(facts({ ...lost('1'), rules: { ...SNAPSHOT.rules, maxDailyLoss: '0' } }).orderHeadroom).toBe(0);
  });

  test('there is no room once the account has tripped, nor while a mark is missing or too old', () => {
    expect(facts({ trippedAt: ago(60_000) }).orderHeadroom).toBe(0);
    expect(facts({ held: [held('A', '1', '1', '0.5', 30_000)] }).orderHeadroom).toBe(100);
    expect(facts({ held: [held('A', '1', '1', '0.5', 30_001)] }).orderHeadroom).toBe(0);
    expect(facts({ held: [held('A', '1', '1', null)] }).orderHeadroom).toBe(0);
  });

  test('there is no room for more orders than a minute may have', () => {
    expect(facts({ queuedLastMinute: 9 }).orderHeadroom).toBe(100);
    expect(facts({ queuedLastMinute: 10 }).orderHeadroom).toBe(0);
  });
});

describe('how much of each rule is used', () => {
  const usage = (terms: Partial<RiskSnapshot> = {}) => ruleUsageOf({ ...SNAPSHOT, ...terms }, NOW);
  const lineOf = (rule: string, terms: Partial<RiskSnapshot> = {}) =>
    usage(terms).find((line) => line.rule === rule);

  test('is stated for all six and for the cash, in the order of the table', () => {
    expect(usage()).toEqual([
      { rule: 'maxOrderSize', limit: '100', used: null, headroom: null },
      { rule: 'requireApprovalAbove', limit: '50', used: null, headroom: null },
      { rule: 'maxOpenPositions', limit: '10', used: '3', headroom: '7' },
      { rule: 'maxOrdersPerMinute', limit: '10', used: '4', headroom: '6' },
      { rule: 'maxDailyLoss', limit: '250', used: '2.5', headroom: '247.5' },
      { rule: 'cooldownAfterLossSec', limit: '300', used: '0', headroom: '300', note: 'no loss yet' },
      { rule: 'buyingPower', limit: '1000', used: '12.5', headroom: '987.5' },
    ]);
  });

  test('a day with a profit uses nothing of the daily loss', () => {
    const day = { realizedPnl: exact(7), openingUnrealizedPnl: exact(0) };
    expect(lineOf('maxDailyLoss', { day, held: [] })).toMatchObject({ used: '0', headroom: '250' });
    expect(lineOf('maxDailyLoss', { day, held: [held('A', '10', '9', '0.1')] })).toMatchObject({
      used: '1',
    });
  });

  test('the daily loss states when no buy passes whatever is left', () => {
    expect(lineOf('maxDailyLoss', { trippedAt: ago(60_000) })).toMatchObject({
      used: '2.5',
      note: 'tripped at 2026-11-20T11:59:00.000Z: no buys until 00:00 UTC, or until this rule is changed',
    });
    expect(lineOf('maxDailyLoss', { held: [held('A', '1', '1', '0.5', 31_000)] })?.note).toBe(
      'stale_marks: no buys while the last bid for A is 31 s old',
    );
    expect(lineOf('maxDailyLoss', { held: [held('A', '1', '1', null)] })?.note).toBe(
      'stale_marks: no buys while there is no bid for A yet',
    );
  });

  test('a cool-down states the rest of its wait, and nothing once it is over', () => {
    expect(lineOf('cooldownAfterLossSec', { lastLossAt: ago(100_500) })).toEqual({
      rule: 'cooldownAfterLossSec',
      limit: '300',
      used: '199.5',
      headroom: '100.5',
      note: 'last loss at 2026-11-20T11:58:19.500Z',
    });
    expect(lineOf('cooldownAfterLossSec', { lastLossAt: ago(900_000) })).toMatchObject({ used: '0' });
  });
});
