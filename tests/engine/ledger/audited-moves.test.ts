import { describe, expect, test } from 'vitest';
import { auditedWriteOffs, compareWriteOffWithAudit } from '../../../engine/ledger/money/write-offs.ts';
import { decisionOfTransition } from '../../../engine/ledger/orders/order-transitions.ts';
import type { AuditRow, CashRow, FillRow } from '../../../engine/ledger/rows.ts';
import {
  auditRowsByEntry,
  compareMoveWithAudit,
  compareTransfersWithAudit,
} from '../../../engine/ledger/trails/audited-moves.ts';
import { exact } from '../../../engine/platform/decimal.ts';
import { approved, denied, findOne, firstOf, LEDGER, receiptOf, setFields, verifyChanged } from './ledger.ts';
import { type LedgerRows, type SurroundingRows, verifyRows } from './ledger-pages.ts';

const audited = (terms: Partial<AuditRow>): AuditRow => ({
  ...firstOf(LEDGER.ruleChanges),
  before: null,
  ...terms,
});
const toldBy = (compare: (report: (...difference: string[]) => void) => void): string[] => {
  const differences: string[] = [];
  compare((...difference) => void differences.push(difference.join(' ')));
  return differences;
};

describe('money that moves without a fill', () => {
  const move = (kind: CashRow['kind'], amount = '25.0', id = 'm-1'): CashRow => ({
    ...firstOf(LEDGER.cashEntries),
    id,
    kind,
    amount,
    fill_id: null,
  });
  const stated = (action: string, amount: string | undefined, id = 'm-1') =>
    audited({ action, subject_id: id, after: amount === undefined ? null : { amount } });
  const moveDifferences = (entry: CashRow, audits: AuditRow[]) =>
    toldBy((report) => compareMoveWithAudit(entry, auditRowsByEntry(audits), report));

  test("matches the audit trail's statement of that very entry", () => {
    const audits = [stated('cash.transfer', '9', 'm-0'), stated('cash.transfer', '25')];
    expect(moveDifferences(move('transfer'), audits)).toEqual([]);
    expect(
      moveDifferences(move('redemption', '9', 'm-0'), [stated('cash.redemption', '9.00', 'm-0')]),
    ).toEqual([]);
  });

  test.each<[string, CashRow, AuditRow[], string[]]>([
    ['an amount that differs', move('transfer'), [stated('cash.transfer', '24')], ['amount 24 25']],
    [
      'another kind',
      move('adjustment'),
      [stated('cash.transfer', '25')],
      ['kind an audit row of it cash.transfer'],
    ],
    ['no word of it', move('transfer'), [], ['kind an audit row of it missing', 'amount an audit row 25']],
    ['no amount of it', move('transfer'), [stated('cash.transfer', undefined)], ['amount an audit row 25']],
    [
      'a kind that no money moves by',
      move('trade'),
      [stated('cash.trade', '25')],
      ['kind transfer or adjustment or fee_true_up or redemption trade'],
    ],
  ])('%s is found', (_what, entry, audits, found) => {
    expect(moveDifferences(entry, audits)).toEqual(found.map((words) => `cash_entry m-1 ${words}`));
  });

  test('of a venue account is taken over once, and each record of its venue is booked once', () => {
    const entry = (id: string, connection_id: string | null = 'c-1') => ({
      ...move('transfer', '25', id),
      connection_id,
    });
    const said = (id: string, after: object) =>
      audited({ action: 'cash.transfer', subject_id: id, after: { amount: '25', ...after } });
    const opening = { reason: 'The balance that the account was connected with.' };
    const record = { reason: 'The venue records it.', recordId: 't-1' };
    const found = (entries: CashRow[], ...afters: object[]) =>
      toldBy((report) =>
        compareTransfersWithAudit(
          entries,
          auditRowsByEntry(afters.map((after, at) => said(`m-${at}`, after))),
          report,
        ),
      );
    const two = [entry('m-0'), entry('m-1')];
    expect(found(two, { ...opening, recordId: null }, record)).toEqual([]);
    expect(found([entry('m-0'), entry('m-1', 'c-2')], opening, opening)).toEqual([]);
    expect(found([entry('m-0', null), entry('m-1', null)], opening, opening)).toEqual([]);
    expect(found(two, opening, { ...opening, recordId: null })).toEqual([
      'cash_entry m-1 transfer the opening balance once again',
    ]);
    expect(found(two, record, record)).toEqual(['cash_entry m-1 transfer t-1 once again']);
  });

  describe('is booked in its position in the ledger', () => {
    const LATE = '2026-11-25T00:00:00.000Z';
    const found = (
      seq: string | null,
      beside: SurroundingRows = {},
      change: (rows: LedgerRows) => void = () => {},
    ) => {
      const rows = structuredClone(LEDGER);
      const moves = ['m-1', 'm-2'].map((id) => ({ ...move('transfer', '25', id), seq, at: LATE }));
      rows.cashEntries.push(...moves);
      setFields(rows.tradingAccount, { cash: exact(rows.tradingAccount.cash).plus(50).toFixed() });
      change(rows);
      const statedMoves = moves.map(({ id }) => stated('cash.transfer', '25', id));
      return verifyRows(rows, { beside: { moves, statedMoves, ...beside } }).map(
        ({ subject, field }) => `${subject}: ${field}`,
      );
    };

    test('after everything else', () => {
      expect(found('999999')).toEqual([]);
      expect(found('999999', { statedMoves: [] })).toEqual(
        ['kind', 'amount', 'kind', 'amount'].map((field) => `cash_entry: ${field}`),
      );
    });

    test('before the decisions made with it', () => {
      expect(found('0')).toContain('trade_order: cash on the receipt');
      expect(found(null)).toContain('trade_order: cash on the receipt');
    });

    test('and its day has begun', () => {
      const day = { ...firstOf(LEDGER.days), realized_pnl: '0', opening_unrealized_pnl: '0' };
      const withDay = (date: string) => (rows: LedgerRows) => void rows.days.push({ ...day, day: date });
      expect(found('999999', {}, withDay('2026-11-25'))).toEqual([]);
      expect(found('999999', {}, withDay('2026-11-26'))).toEqual(['account_day: day']);
    });
  });
});

describe('the equity curve', () => {
  const point = (at: string, cash: string, realized_pnl: string) => ({
    account_id: LEDGER.accountId,
    mode: LEDGER.mode,
    at,
    cash,
    realized_pnl,
    equity: cash,
    unrealized_pnl: '0',
  });
  const found = (...points: ReturnType<typeof point>[]) =>
    verifyRows(LEDGER, { beside: { equityPoints: points } }).map(({ subject, id }) => `${subject} ${id}`);

  test('is compared with the books from beginning to end', () => {
    const begin = point('2026-11-20T11:00:00.000Z', '10000', '0');
    const wrong = point('2026-11-20T11:05:00.000Z', '9999', '0');
    const late = point('2026-12-20T11:05:00.000Z', '1', '0');
    expect(found(begin)).toEqual([]);
    expect(found(begin, wrong, late)).toEqual([`equity_point ${wrong.at}`, `equity_point ${late.at}`]);
  });

  test('is compared with every earlier value where times prove nothing', () => {
    const rows = structuredClone(LEDGER);
    firstOf(rows.fills.slice(1)).applied_at = '2026-11-20 11:00:00+00';
    const points = [
      point('2026-12-20T11:05:00.000Z', '10000', '0'),
      point('2026-12-20T11:10:00.000Z', '1', '0'),
    ];
    const ids = verifyRows(rows, { beside: { equityPoints: points } })
      .filter(({ subject }) => subject === 'equity_point')
      .map(({ id }) => id);
    expect(ids).toEqual(['2026-12-20T11:10:00.000Z']);
  });
});

describe('a booking at a value without a trade', () => {
  const fill = (terms: Partial<FillRow> = {}): FillRow => ({
    ...firstOf(LEDGER.fills),
    id: 'f-1',
    kind: 'write_off',
    venue_trade_id: 'write_off:1',
    price: '0.50',
    ...terms,
  });
  const writeOffDifferences = (terms: Partial<FillRow>, ...writeOffs: AuditRow[]) =>
    toldBy((report) => compareWriteOffWithAudit(fill(terms), auditedWriteOffs(writeOffs), report));
  const said = (value: string, tradeId = 'write_off:1') => audited({ after: { tradeId, value } });

  test('has the value of the audit trail', () => {
    expect(writeOffDifferences({}, said('0.2', 'write_off:0'), said('0.5'))).toEqual([]);
    expect(writeOffDifferences({}, said('0.4'))).toEqual(['fill f-1 value of the write-off 0.4 0.5']);
    expect(writeOffDifferences({}, audited({ after: null }))).toEqual([
      'fill f-1 value of the write-off an audit row 0.5',
    ]);
  });

  test.each(['adjustment', 'netting'] as const)('also of a %s', (kind) => {
    expect(writeOffDifferences({ kind })).toEqual([`fill f-1 value of the ${kind} an audit row 0.5`]);
    expect(writeOffDifferences({ kind }, said('0.5'))).toEqual([]);
  });

  test('is no trade and no payout of a venue', () => {
    expect(writeOffDifferences({ kind: 'trade' })).toEqual([]);
    expect(writeOffDifferences({ kind: 'settlement' })).toEqual([]);
  });
});

describe('the decision that a step carries out', () => {
  const order = denied(LEDGER);
  const receipt = receiptOf(order);
  const CREATION = findOne(LEDGER.steps, ({ order_id, number }) => order_id === order.id && number === 1);
  const approvalOf = (terms: Partial<typeof order>, step: Partial<typeof CREATION>) => {
    const row = { ...order, origin: 'order' as const, preapproved_release: null, ...terms };
    const differences: string[] = [];
    const decided = decisionOfTransition(
      { row },
      { ...CREATION, ...step },
      (...words) => void differences.push(words.join(' ')),
    );
    expect(differences).toEqual([]);
    return decided?.approval;
  };

  test('of a creation was approved by its release, by its own session request, or by no one', () => {
    const session = { actor: 'session:1' };
    expect(approvalOf({}, session)).toEqual({ by: 'nobody' });
    expect(approvalOf({ preapproved_release: 3 }, session)).toEqual({ by: 'deploy', release: 3 });
    expect(approvalOf({ origin: 'manual', side: 'sell' }, session)).toEqual({ by: 'request' });
    expect(approvalOf({ origin: 'manual', side: 'buy' }, session)).toEqual({ by: 'nobody' });
    expect(approvalOf({ origin: 'manual', side: 'sell' }, { actor: 'key:1' })).toEqual({ by: 'nobody' });
    const { trippedAt: _, ...day } = receipt.day;
    const first = { ...receipt, day } as typeof order.receipt;
    expect(approvalOf({ origin: 'manual', side: 'sell', receipt: first }, session)).toEqual({ by: 'nobody' });
  });

  test('of an approval was approved by a person', () => {
    const { approval_receipt } = approved(LEDGER);
    const step = { from_status: 'pending', to_status: 'queued' } as const;
    expect(approvalOf({ approval_receipt }, step)).toEqual({ by: 'person' });
  });

  test('does not exist for a step that only continues', () => {
    expect(approvalOf({}, { from_status: 'queued', to_status: 'submitted' })).toBeUndefined();
    expect(approvalOf({}, { from_status: 'pending', to_status: 'declined' })).toBeUndefined();
  });

  test('has its receipt', () => {
    const words = (change: (rows: LedgerRows) => void) =>
      verifyChanged(change)
        .filter(({ field }) => /receipt$/i.test(field))
        .map(({ field, expected, actual }) => `${field}: ${expected}, ${actual}`);
    expect(words((rows) => setFields(denied(rows), { receipt: null }))).toEqual([
      'receipt: the receipt of its decision, missing',
    ]);
    expect(words((rows) => setFields(denied(rows), { receipt: {} }))).toEqual([
      'receipt: the receipt of its decision, not a receipt',
    ]);
    expect(words((rows) => setFields(approved(rows), { approval_receipt: [] }))).toEqual([
      'approvalReceipt: the receipt of its approval, not a receipt',
    ]);
  });
});

describe('further checks at the end, and on the way', () => {
  const found = (change: (rows: LedgerRows) => void) =>
    verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`);

  test.each<[string, (rows: LedgerRows) => void, string]>([
    [
      'a drawdown stop that is on, without where it stands',
      (rows) => setFields(rows.rules ?? {}, { max_drawdown: '5' }),
      'drawdown_watch: highWaterMark',
    ],
    ['a change of rules without an audit row', (rows) => void rows.ruleChanges.pop(), 'risk_rules: rules'],
    [
      'a position that was opened at another time',
      (rows) =>
        setFields(
          findOne(rows.positions, ({ amount }) => Number(amount) > 0),
          { opened_at: '2026-11-19 12:00:00+00' },
        ),
      'position: openedAt',
    ],
    [
      'a trade through another account',
      (rows) => setFields(firstOf(rows.fills), { connection_id: 'c-1' }),
      'fill: connectionId',
    ],
    [
      'a write-off without an audit row',
      (rows) =>
        setFields(
          findOne(rows.fills, ({ kind }) => kind === 'settlement'),
          { kind: 'write_off' },
        ),
      'fill: value of the write-off',
    ],
    [
      'an approval by another actor',
      (rows) => setFields(approved(rows), { approved_by: 'x' }),
      'trade_order: approvedBy',
    ],
    [
      'real money without its facts',
      (rows) => setFields(rows, { mode: 'live' }),
      'trade_order: real money on the receipt',
    ],
  ])('%s is found', (_what, change, field) => {
    expect(found(change)).toContain(field);
  });
});
