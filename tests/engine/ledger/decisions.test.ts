import { beforeEach, describe, expect, test } from 'vitest';
import {
  checkDecision,
  type DecisionContext,
  termsBeforeReduction,
} from '../../../engine/ledger/orders/decisions.ts';
import { DrawdownCheck } from '../../../engine/ledger/orders/drawdown-check.ts';
import { RebuiltBooks } from '../../../engine/ledger/rebuilt-books.ts';
import type { AuditRow, LedgerOrderRow } from '../../../engine/ledger/rows.ts';
import { exact, ZERO } from '../../../engine/platform/decimal.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { startDrawdownState } from '../../../engine/risk/drawdown-state.ts';
import { buildReceipt } from '../../../engine/risk/receipt.ts';
import type { Approval } from '../../../engine/risk/risk-inputs.ts';
import { aggregatesOf, type RiskSnapshot } from '../../../engine/risk/risk-snapshot.ts';
import { held, NOW, SNAPSHOT } from '../risk/risk-snapshot.ts';
import { firstOf, LEDGER } from './ledger.ts';

const [YES, NO, COIN] = ['KXTEST:yes', 'KXTEST:no', 'BTCUSDT'];
const ago = (ms: number): string => new Date(NOW.getTime() - ms).toISOString();
const NOBODY: Approval = { by: 'nobody' };

let books: RebuiltBooks;
let differences: string[];
const report = (subject: string, id: string, field: string, expected: string, actual: string) =>
  void differences.push(`${subject} ${id}, ${field}: ${expected}, not ${actual}`);

const row = (id: string, terms: Partial<LedgerOrderRow> = {}): LedgerOrderRow => ({
  ...firstOf(LEDGER.orders),
  id,
  blueprint_id: 'b-2',
  token_id: YES,
  venue: 'venue-a',
  connection_id: null,
  side: 'buy',
  amount: '5',
  limit_price: '0.5',
  size: '2.5',
  worst_fee: '0.1',
  ...terms,
});
function live(id: string, terms: Partial<LedgerOrderRow>) {
  const order = books.open({ row: row(id, terms), allocations: [], entries: 1 });
  const step = { ...firstOf(LEDGER.steps), order_id: id, to_status: 'queued' as const };
  books.step(order, { ...step, at: ago(10_000), expires_at: null });
}
/** Holdings that were bought before, one per blueprint. */
function bought(id: string, terms: { token_id: string; amount: string; price: string; fee: string }) {
  const { token_id, amount, price, fee } = terms;
  const cost = exact(amount).times(price).toFixed();
  books.fill({
    fill: {
      ...firstOf(LEDGER.fills),
      id: `fill of ${id}`,
      kind: 'trade',
      order_id: null,
      side: 'buy',
      token_id,
      amount,
      price,
      fee,
      fee_asset: 'USD',
      fee_amount: fee,
      applied_at: ago(3_600_000),
    },
    parts: [
      {
        ...firstOf(LEDGER.fillParts),
        position_id: id,
        amount,
        cost,
        fee,
        realized_pnl: exact(fee).negated().toFixed(),
      },
    ],
    cash: [{ ...firstOf(LEDGER.cashEntries), amount: exact(cost).plus(fee).negated().toFixed() }],
  });
}

beforeEach(() => {
  differences = [];
  const positions = [
    { ...firstOf(LEDGER.positions), id: 'yes', token_id: YES, blueprint_id: 'b-1' },
    { ...firstOf(LEDGER.positions), id: 'no', token_id: NO, blueprint_id: 'b-2' },
    { ...firstOf(LEDGER.positions), id: 'empty', token_id: NO, blueprint_id: 'b-3' },
  ];
  books = new RebuiltBooks(
    { deposits: [{ ...firstOf(LEDGER.cashEntries), amount: '1000' }], positions },
    report,
  );
  bought('yes', { token_id: YES, amount: '10', price: '0.4', fee: '0.1' });
  bought('no', { token_id: NO, amount: '2', price: '0.3', fee: '0' });
  live('resting', { amount: '10', worst_fee: '0.2' });
  live('coins', { token_id: COIN, blueprint_id: 'b-1', amount: '1', limit_price: '3', worst_fee: '0' });
});

/** The account as the decision saw it. */
const SEEN: RiskSnapshot = {
  ...SNAPSHOT,
  rules: {
    ...SNAPSHOT.rules,
    maxBlueprintBudget: '8',
    maxGrossExposure: '15',
    maxPositionSize: '11',
    maxVenueExposure: '12',
  },
  buying: [
    { tokenId: COIN, reserve: exact(3) },
    { tokenId: YES, reserve: exact('5.2') },
  ],
  stakes: [
    { blueprintId: 'b-1', atStake: exact(7) },
    { blueprintId: 'b-2', atStake: exact('5.8') },
  ],
  queuedLastMinute: 2,
  cash: exact('995.3'),
  realizedPnl: exact('-0.1'),
  held: [held(NO, '2', '0.6', '0.35', 1_000), held(YES, '10', '4', '0.45', 1_000)],
  day: { realizedPnl: exact('-0.1'), openingUnrealizedPnl: exact('0.2') },
};
const DAY = { ...firstOf(LEDGER.days), day: '2026-11-20', opening_unrealized_pnl: '0.2' };
const audited = (at: string, values: { before?: object; after: object; subject_id?: string }): AuditRow =>
  ({ ...firstOf(LEDGER.ruleChanges), before: null, ...values, at }) as AuditRow;

type Judged = {
  around?: Partial<DecisionContext> & { watches?: readonly AuditRow[] };
  terms?: Partial<LedgerOrderRow>;
  approval?: Approval;
  /** The amount decided on, where the row has another by now. */
  size?: string;
};

/** Returns the differences of a buy that was decided with the values of {@link SEEN}. */
function checked(
  seen: Partial<RiskSnapshot> = {},
  { around = {}, terms = {}, approval = NOBODY, size = '2.5' }: Judged = {},
) {
  const snapshot = { ...SEEN, ...seen };
  const facts = {
    tokenId: YES,
    side: 'buy' as const,
    amount: exact(size).times(2),
    size: exact(size),
    maxFee: exact('0.1'),
    approval,
    blueprintId: 'b-2',
  };
  const decision = decide(snapshot.rules, aggregatesOf(snapshot, ZERO, NOW), facts, NOW);
  const order = books.open({ row: row('judged', terms), allocations: [], entries: 1 });
  const { watches = [], ...rest } = around;
  const drawdowns = new DrawdownCheck(
    { accountId: 'a', watches, stops: [], ruleChanges: [], watch: undefined, rules: undefined },
    report,
  );
  const surroundings = { days: [DAY], trips: [], ruleChanges: [], firstTerms: new Map(), drawdowns, ...rest };
  checkDecision(surroundings, books, order, buildReceipt(snapshot, decision, NOW), approval, report);
  return differences;
}

describe('a decision that saw the values of the books', () => {
  test('agrees: holdings, and the open cost of live buys, by instrument, venue and blueprint', () => {
    expect(checked()).toEqual([]);
  });

  test('agrees where a holding was never quoted, and no buy passes', () => {
    const [no, yes] = SEEN.held;
    if (no === undefined || yes === undefined) throw new Error('Both are held.');
    expect(checked({ held: [{ ...no, mark: null, markAt: null, steadyMark: null }, yes] })).toEqual([]);
  });

  test('agrees below a high-water mark, by the marks of its receipt', () => {
    const since = new Date(ago(60_000));
    const watches = [audited(since.toISOString(), { after: { highWaterMark: '10' } })];
    const rules = { ...SEEN.rules, maxDrawdown: '9' };
    expect(checked({ rules, watch: startDrawdownState(exact(10), since) }, { around: { watches } })).toEqual(
      [],
    );
  });

  test.each<[string, Partial<RiskSnapshot>]>([
    ['at stake by a blueprint', { stakes: [{ blueprintId: 'b-2', atStake: exact('5.7') }] }],
    ['to be bought', { buying: [{ tokenId: YES, reserve: exact('8.2') }] }],
    ['cleared in the last minute', { queuedLastMinute: 3 }],
    ['lost last', { lastLossAt: new Date(ago(5_000)) }],
  ])('differs in what is %s', (_what, seen) => {
    expect(checked(seen).join()).toContain('trade_order judged, receipt of 2026-11-20T12:00:00.000Z');
  });
});

describe('whether the daily loss had tripped the account', () => {
  const trippedAt = new Date(ago(1_800_000));
  const trips = [audited(trippedAt.toISOString(), { after: {} })];

  test('is what the audit trail says', () => {
    expect(checked({ trippedAt }, { around: { trips } })).toEqual([]);
  });

  test('is reported with both values where they differ', () => {
    expect(checked({}, { around: { trips } })).toContain(
      'trade_order judged, trippedAt on the receipt: 2026-11-20T11:30:00.000Z, not none',
    );
    differences = [];
    const atOnce = [audited(NOW.toISOString(), { after: {} })];
    expect(checked({ trippedAt }, { around: { trips: atOnce } })).toContain(
      'trade_order judged, trippedAt on the receipt: none or 2026-11-20T12:00:00.000Z, not 2026-11-20T11:30:00.000Z',
    );
  });
});

describe('an order that was reduced', () => {
  const gave = (size: string) =>
    audited(NOW.toISOString(), {
      subject_id: 'judged',
      before: { amount: exact(size).times(2).toFixed(), size, worstFee: '0.1' },
      after: {},
    });
  const around = { firstTerms: termsBeforeReduction([gave('2.5'), gave('2')]) };
  const terms = { amount: '3', size: '1.5' };

  test('was decided at its creation with its amount before the first reduction', () => {
    expect(checked({}, { around, terms })).toEqual([]);
    expect(checked({}, { terms }).join()).toContain('receipt of');
  });

  test('is approved with its present amount', () => {
    const approval: Approval = { by: 'person' };
    expect(checked({}, { around, terms, approval, size: '1.5' })).toEqual([]);
    expect(checked({}, { around, terms, approval }).join()).toContain('receipt of');
  });
});
