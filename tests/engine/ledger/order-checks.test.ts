import { beforeEach, describe, expect, test } from 'vitest';
import {
  checkInitialDeposit,
  checkOpeningTimes,
} from '../../../engine/ledger/money/check-positions-and-deposit.ts';
import { checkFillAgainstOrder } from '../../../engine/ledger/orders/check-fill.ts';
import { checkOrderAgainstTransitions } from '../../../engine/ledger/orders/check-order-history.ts';
import { RebuiltBooks } from '../../../engine/ledger/rebuilt-books.ts';
import type { FillRow, LedgerOrderRow, StepRow, StoredBooks } from '../../../engine/ledger/rows.ts';
import { checkRulesAgainstAudit } from '../../../engine/ledger/trails/check-rule-history.ts';
import { exact } from '../../../engine/platform/decimal.ts';
import { rulesOf } from '../../../engine/risk/rule-limits.ts';
import { firstOf, LEDGER } from './ledger.ts';

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:05.000Z';
const [YES, NO] = ['KXTEST:yes', 'KXTEST:no'];

let differences: string[];
beforeEach(() => {
  differences = [];
});
const report = (...difference: string[]) => void differences.push(difference.join(' '));

describe('the trail of the rules', () => {
  type Change = StoredBooks['ruleChanges'][number];
  const [first, second, third, last] = LEDGER.ruleChanges as [Change, Change, Change, Change];
  const rules = LEDGER.rules as NonNullable<StoredBooks['rules']>;
  const words = (value: unknown) => JSON.stringify(value);
  const found = (ruleChanges: readonly Change[], inForce: StoredBooks['rules'] = rules) => {
    checkRulesAgainstAudit({ accountId: 'a', rules: inForce, ruleChanges }, report);
    return differences;
  };
  const withVersion = (change: Change, version: number): Change => ({
    ...change,
    after: { ...(change.after as object), version },
  });

  test('leads from the first version to those in force, in whatever order its rows come', () => {
    expect(found([first, second, third, last])).toEqual([]);
    expect(found([last, second, first, third])).toEqual([]);
  });

  test('misses no change', () => {
    expect(found([first, third, last])).toEqual([
      `audit_event a rules of version 4 ${words(first.after)} ${words(third.before)}`,
    ]);
    differences = [];
    expect(found([second, third, last])).toEqual([
      `audit_event a rules of version 3 ${words({ ...(second.before as object), version: 1 })} ${words(second.before)}`,
    ]);
  });

  test('skips no version', () => {
    expect(found([first, second, third, withVersion(last, 6)], { ...rules, version: 6 })).toEqual([
      `audit_event a rules of version 6 ${words(last.before)} ${words(last.before)}`,
    ]);
  });

  test('ends at the rules of the account', () => {
    const other = { ...rules, max_order_size: '7' };
    expect(found([first, second, third, last], other)).toEqual([
      `risk_rules a rules ${words(last.after)} ${words({ ...rulesOf(other), version: 5 })}`,
    ]);
  });

  test("is empty if the rules are those of the account's opening", () => {
    expect(found([], { ...rules, version: 1 })).toEqual([]);
    expect(found([], rules)).toHaveLength(1);
  });

  test('proves nothing if the rules are missing, which is a difference', () => {
    differences = [];
    checkRulesAgainstAudit({ accountId: 'a', rules: undefined, ruleChanges: [last] }, report);
    expect(differences).toEqual(['risk_rules a row the rules of the account gone']);
  });
});

describe('the state in the row of an order', () => {
  const step = (
    number: number,
    [from_status, to_status]: [StepRow['from_status'], StepRow['to_status']],
    terms: Partial<StepRow> = {},
  ): StepRow => ({
    ...firstOf(LEDGER.steps),
    number,
    from_status,
    to_status,
    at: AT,
    reason: null,
    ...terms,
  });
  const APPROVED = [
    step(1, [null, 'pending'], { actor: 'key:1' }),
    step(2, ['pending', 'queued'], { actor: 'session:1', at: LATER }),
    step(3, ['queued', 'canceled'], { actor: 'system', reason: 'It was asked back.', at: LATER }),
  ];
  const ROW: LedgerOrderRow = {
    ...firstOf(LEDGER.orders),
    id: 'o-1',
    approved_by: 'session:1',
    queued_at: '2026-11-20 12:00:05+00',
    ended_at: '2026-11-20 12:00:05+00',
    reason: 'It was asked back.',
  };
  const BARE = { approved_by: null, queued_at: null, ended_at: null, reason: null };
  const found = (terms: Partial<LedgerOrderRow>, steps: readonly StepRow[] = APPROVED) => {
    checkOrderAgainstTransitions({ row: { ...ROW, ...terms }, steps: [...steps] }, report);
    return differences;
  };

  test('equals the result of its steps, in whatever order they come', () => {
    expect(found({})).toEqual([]);
    expect(found({}, APPROVED.toReversed())).toEqual([]);
  });

  test.each<[Partial<LedgerOrderRow>, string]>([
    [{ approved_by: 'session:2' }, 'approvedBy session:1 session:2'],
    [{ approved_by: null }, 'approvedBy session:1 none'],
    [{ queued_at: AT }, `queuedAt ${LATER} ${AT}`],
    [{ ended_at: null }, `endedAt ${LATER} none`],
    [{ reason: 'Because.' }, 'reason It was asked back. Because.'],
  ])('differs where it says %j', (terms, field) => {
    expect(found(terms)).toEqual([`trade_order o-1 ${field}`]);
  });

  test('may be approved by the very request that made it, and by no other actor', () => {
    const steps = [step(1, [null, 'queued'], { actor: 'session:1' })];
    const born = { ...BARE, queued_at: AT };
    expect(found({ ...born, approved_by: 'session:1' }, steps)).toEqual([]);
    expect(found(born, steps)).toEqual([]);
    expect(found({ ...born, approved_by: 'key:1' }, steps)).toEqual([
      'trade_order o-1 approvedBy session:1 key:1',
    ]);
  });

  test('has no approver while it is pending, or if it has no steps', () => {
    const waits = [step(1, [null, 'pending'], { actor: 'session:1' })];
    expect(found({ ...BARE, approved_by: 'session:1' }, waits)).toEqual([
      'trade_order o-1 approvedBy none session:1',
    ]);
    differences = [];
    expect(found({ ...BARE, approved_by: 'session:1' }, [])).toEqual([
      'trade_order o-1 approvedBy none session:1',
    ]);
    differences = [];
    expect(found(BARE, [])).toEqual([]);
  });

  test('may state before its end why a cancel was requested, which is no step', () => {
    const steps = [step(1, [null, 'queued']), step(2, ['queued', 'submitted'])];
    expect(found({ ...BARE, queued_at: AT, reason: 'It was asked back.' }, steps)).toEqual([]);
  });
});

describe('a trade', () => {
  const POSITIONS = [
    { ...firstOf(LEDGER.positions), id: 'p-1', blueprint_id: 'b-1', token_id: YES },
    { ...firstOf(LEDGER.positions), id: 'p-2', blueprint_id: 'b-2', token_id: YES },
    { ...firstOf(LEDGER.positions), id: 'p-3', blueprint_id: 'b-1', token_id: NO },
  ];
  const OWN: FillRow = {
    ...firstOf(LEDGER.fills),
    id: 'f-1',
    kind: 'trade',
    order_id: 'o-1',
    token_id: YES,
    venue: 'venue-a',
    connection_id: null,
    side: 'buy',
    price: '0.5',
    fee: '0.10',
    fee_asset: 'USD',
    fee_amount: '0.1',
  };
  /** Returns the differences of a trade of a buy of yes at 0.5, drawn from a position. */
  const found = (trade: Partial<FillRow>, order: Partial<LedgerOrderRow> = {}, position = 'p-1') => {
    const books = new RebuiltBooks({ deposits: [], positions: POSITIONS }, report);
    const row: LedgerOrderRow = {
      ...firstOf(LEDGER.orders),
      id: 'o-1',
      blueprint_id: 'b-1',
      token_id: YES,
      venue: 'venue-a',
      connection_id: null,
      origin: 'order',
      side: 'buy',
      limit_price: '0.50',
      ...order,
    };
    books.open({ row, allocations: [], entries: 1 });
    const fill: FillRow = { ...OWN, ...trade };
    checkFillAgainstOrder(
      { fill, parts: [{ ...firstOf(LEDGER.fillParts), position_id: position }], cash: [] },
      books,
      report,
    );
    return differences;
  };

  test('matches the terms of its order, at its limit or better, in its own position', () => {
    expect(found({})).toEqual([]);
    expect(found({ price: '0.01' })).toEqual([]);
    expect(found({ side: 'sell', price: '0.99' }, { side: 'sell' })).toEqual([]);
    expect(found({ side: 'sell' }, { side: 'sell' })).toEqual([]);
  });

  test.each<[string, Partial<FillRow>, string]>([
    ['side', { side: 'sell' }, `trade buy ${YES} on venue-a sell ${YES} on venue-a`],
    ['venue', { venue: 'venue-b' }, `trade buy ${YES} on venue-a buy ${YES} on venue-b`],
    ['account', { connection_id: 'c-1' }, 'connectionId none c-1'],
    ['fee', { fee_amount: '0.2' }, 'feeAmount 0.1 0.2'],
    ['price', { price: '0.51' }, 'price 0.5 or less 0.51'],
  ])('of another %s differs', (_what, trade, words) => {
    expect(found(trade)).toEqual([`fill f-1 ${words}`]);
  });

  test('through another account, or none, differs', () => {
    expect(found({ connection_id: null }, { connection_id: 'c-1' })).toEqual([
      'fill f-1 connectionId c-1 none',
    ]);
  });

  test('of a sell below its limit differs', () => {
    expect(found({ side: 'sell', price: '0.49' }, { side: 'sell' })).toEqual([
      'fill f-1 price 0.5 or more 0.49',
    ]);
  });

  test('may be charged in another asset than USD', () => {
    expect(found({ fee_asset: 'BTC', fee_amount: '0.001' })).toEqual([]);
  });

  test('that is reversed has the other direction', () => {
    expect(found({ kind: 'reversal', side: 'sell' })).toEqual([]);
    expect(found({ kind: 'reversal', side: 'buy' }, { side: 'sell' })).toEqual([]);
    expect(found({ kind: 'reversal' })).toEqual([
      `fill f-1 trade buy ${YES} on venue-a sell ${YES} on venue-a`,
    ]);
  });

  test('moves positions of its instrument', () => {
    expect(found({}, {}, 'p-3')).toEqual([`position p-3 tokenId of fill f-1 ${YES} ${NO}`]);
  });

  test("moves positions of the order's blueprint; a close by a person may draw on any", () => {
    const differs = ['position p-2 blueprintId of fill f-1 b-1 b-2'];
    expect(found({}, {}, 'p-2')).toEqual(differs);
    differences = [];
    expect(found({}, { origin: 'manual' }, 'p-2')).toEqual(differs);
    differences = [];
    expect(found({ side: 'sell' }, { side: 'sell' }, 'p-2')).toEqual(differs);
    differences = [];
    expect(found({ side: 'sell' }, { side: 'sell', origin: 'manual' }, 'p-2')).toEqual([]);
  });

  test('of more than a sell had reserved, or of an amount sold meanwhile, moves other holdings', () => {
    const taken = ({ drawn, held }: { drawn: string; held: string }) => {
      differences = [];
      const books = new RebuiltBooks({ deposits: [], positions: POSITIONS }, report);
      const row = { ...firstOf(LEDGER.orders), id: 'o-1', blueprint_id: 'b-1', token_id: YES };
      const order = books.open({
        row: {
          ...row,
          venue: 'venue-a',
          connection_id: null,
          origin: 'exit',
          side: 'sell',
          limit_price: '0.50',
        },
        allocations: [{ ...firstOf(LEDGER.allocations), order_id: 'o-1', position_id: 'p-1', amount: '3' }],
        entries: 1,
      });
      order.soldByPosition.set('p-1', exact(drawn));
      const own = books.positions.get('p-1');
      if (own !== undefined) own.amount = exact(held);
      const fill: FillRow = { ...OWN, side: 'sell' };
      checkFillAgainstOrder(
        { fill, parts: [{ ...firstOf(LEDGER.fillParts), position_id: 'p-2' }], cash: [] },
        books,
        report,
      );
      return differences;
    };
    expect(taken({ drawn: '3', held: '1' })).toEqual([]);
    expect(taken({ drawn: '2', held: '0' })).toEqual([]);
    expect(taken({ drawn: '2', held: '1' })).toEqual(['position p-2 blueprintId of fill f-1 b-1 b-2']);
  });

  test('without an order, or of a missing position, is compared with what exists', () => {
    expect(found({ kind: 'settlement', order_id: null, side: 'sell', price: '1' }, {}, 'p-2')).toEqual([]);
    expect(found({}, {}, 'gone')).toEqual([]);
    expect(found({ kind: 'settlement', order_id: null }, {}, 'p-3')).toHaveLength(1);
  });
});

describe('openings', () => {
  const POSITION = { ...firstOf(LEDGER.positions), id: 'p-1', opened_at: '2026-11-20 12:00:00+00' };
  const deposit = (at: string) => ({ ...firstOf(LEDGER.cashEntries), id: 'd-1', at });
  const found = (openedAt: string | undefined, deposits: StoredBooks['deposits'] = []) => {
    const books = new RebuiltBooks({ deposits: [], positions: [POSITION] }, report);
    const booked = books.positions.get('p-1');
    if (booked !== undefined && openedAt !== undefined) booked.openedAt = openedAt;
    const tradingAccount = { ...LEDGER.tradingAccount, created_at: '2026-11-20 12:00:00+00' };
    checkOpeningTimes({ positions: [POSITION] }, books, report);
    checkInitialDeposit({ accountId: 'a', tradingAccount, deposits }, report);
    return differences;
  };

  test('of positions equal those of their fills, where there are fills', () => {
    expect(found(AT)).toEqual([]);
    expect(found(undefined)).toEqual([]);
    expect(found(LATER)).toEqual([`position p-1 openedAt ${LATER} 2026-11-20 12:00:00+00`]);
  });

  test('of an account come with one deposit', () => {
    expect(found(AT, [deposit(AT)])).toEqual([]);
    expect(found(AT, [deposit(LATER)])).toEqual([`cash_entry d-1 deposit the one of ${AT} one of ${LATER}`]);
    differences = [];
    expect(found(AT, [deposit(AT), deposit(AT)])).toEqual(['cash_entry a deposits 1 2']);
  });
});
