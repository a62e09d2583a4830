import { isDeepStrictEqual } from 'node:util';
import { isSession } from '../actor.ts';
import { isEdge } from '../order-states.ts';
import type { Approval } from '../risk/facts.ts';
import { rulesOf } from '../risk/limits.ts';
import type { Receipt } from '../risk/receipt.ts';
import type { RiskRules } from '../risk/rules/catalogue.ts';
import { type BookedOrder, Books, type Report } from './books.ts';
import { checkEvidence } from './check-evidence.ts';
import { compareAccount, compareOrders, comparePositions } from './compare.ts';
import { checkDecision } from './decisions.ts';
import type { Evidence } from './evidence.ts';
import { isFirstEdition } from './first-edition.ts';
import { checkOpenings, checkOrderHistory, checkRuleTrail, checkTrades } from './history.ts';
import type { LedgerOrderRow, LedgerRows, StepRow } from './rows.ts';
import { storedReceipt } from './stored-receipt.ts';
import { compareWriteOffs } from './write-offs.ts';

/** One number that is not what fills and receipts say it is. */
export type Difference = {
  accountId: string;
  /** The table, or what else it is about. */
  subject: string;
  id: string;
  field: string;
  expected: string;
  actual: string;
};

/**
 * Keeps the books of one account a second time, from its rows, and answers every difference, also to what lies beside
 * them where that is given. Pure.
 */
export function verifyAccount(rows: LedgerRows, evidence?: Evidence): Difference[] {
  const differences: Difference[] = [];
  const report: Report = (subject, id, field, expected, actual) => {
    differences.push({ accountId: rows.accountId, subject, id, field, expected, actual });
  };
  const books = new Books(rows, report);
  const rules = ruleVersions(rows);
  const events = inOrder(rows);
  const outOfTime = stepsOutOfTime(events);
  let version = 0;
  let isFirst = true;
  for (const event of events) {
    if ('fill' in event) {
      books.fill(event.fill, event.parts);
      continue;
    }
    const order = books.orders.get(event.step.order_id);
    if (order === undefined) continue;
    checkEdge(order, event.step, report);
    const decided = decisionOf(order, event.step, report);
    if (decided !== null) {
      const isTimed = !outOfTime.has(event.step);
      checkRules(
        order,
        decided.receipt,
        event.step,
        { versions: rules, lastVersion: version, isTimed },
        report,
      );
      checkDecision(rows, books, order, decided.receipt, decided.approval, report);
      version = decided.receipt.rulesVersion;
      if (isFirstEdition(decided.receipt) && !isFirst)
        report('trade_order', order.row.id, 'day of the receipt', 'whether it had tripped', 'left out');
      isFirst &&= isFirstEdition(decided.receipt);
    }
    books.step(event.step);
  }
  compareOrders(rows, books, report);
  comparePositions(rows, books, report);
  compareAccount(rows, books, report);
  checkRuleTrail(rows, report);
  checkOrderHistory(rows, books, report);
  checkTrades(rows, books, report);
  checkOpenings(rows, books, report);
  if (evidence !== undefined) checkEvidence(rows, evidence, books, outOfTime.size === 0, report);
  compareWriteOffs(rows, report);
  return differences;
}

type LedgerEvent =
  | { seq: bigint; step: StepRow }
  | { seq: bigint; fill: LedgerRows['fills'][number]; parts: LedgerRows['fillParts'] };

function inOrder({ steps, fills, fillParts }: LedgerRows): LedgerEvent[] {
  const partsOf = Map.groupBy(fillParts, ({ fill_id }) => fill_id);
  const events: LedgerEvent[] = [
    ...steps.map((step) => ({ seq: BigInt(step.seq), step })),
    ...fills.map((fill) => ({ seq: BigInt(fill.seq), fill, parts: partsOf.get(fill.id) ?? [] })),
  ];
  return events.sort((a, b) => (a.seq < b.seq ? -1 : 1));
}

/**
 * Steps of a time that the ledger's own order contradicts: something before them is later, or something after them
 * earlier. The clock went back there, so times prove nothing; numbers do.
 */
function stepsOutOfTime(events: readonly LedgerEvent[]): Set<StepRow> {
  const steps = events.flatMap((event) => ('step' in event ? [event.step] : []));
  const contradicted = new Set<StepRow>();
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    const atMs = Date.parse(step.at);
    if (atMs < latestMs) contradicted.add(step);
    latestMs = Math.max(latestMs, atMs);
  }
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const step of steps.toReversed()) {
    const atMs = Date.parse(step.at);
    if (atMs > earliestMs) contradicted.add(step);
    earliestMs = Math.min(earliestMs, atMs);
  }
  return contradicted;
}

function checkEdge(order: BookedOrder, step: StepRow, report: Report): void {
  const { id } = order.row;
  if (step.from_status !== order.status || !isEdge(order.status, step.to_status)) {
    report(
      'order_transition',
      id,
      `step ${step.number}`,
      `a step from ${order.status ?? 'birth'}`,
      `${step.from_status ?? 'birth'} to ${step.to_status}`,
    );
  }
  if (step.number !== order.steps + 1) {
    report('order_transition', id, 'number', String(order.steps + 1), String(step.number));
  }
}

/** The decision a step carries out: the birth of an order, or its approval. */
function decisionOf(
  { row }: BookedOrder,
  { from_status, to_status, actor }: StepRow,
  report: Report,
): { receipt: Receipt; approval: Approval } | null {
  const isBirth = from_status === null;
  if (!isBirth && (from_status !== 'pending' || to_status !== 'queued')) return null;
  const [field, stored] = isBirth ? ['receipt', row.receipt] : ['approvalReceipt', row.approval_receipt];
  const receipt = storedReceipt(stored);
  if (receipt === null) {
    const expected = isBirth ? 'the receipt of its decision' : 'the receipt of its approval';
    report('trade_order', row.id, field as string, expected, stored === null ? 'missing' : 'not a receipt');
    return null;
  }
  return { receipt, approval: isBirth ? approvalAtBirth(row, receipt, actor) : { by: 'person' } };
}

/** An exit carries the release that approved it; a close asked by a web session is its own approval. */
function approvalAtBirth(
  { origin, preapproved_release: release }: LedgerOrderRow,
  receipt: Receipt,
  actor: string,
): Approval {
  if (release !== null) return { by: 'deploy', release };
  const approvesItself = origin === 'manual' && isSession(actor) && !isFirstEdition(receipt);
  return approvesItself ? { by: 'request' } : { by: 'nobody' };
}

type RuleVersion = { rules: RiskRules; since: Date | null };

/** Every version of the rules there was, from the audit trail. */
function ruleVersions({ rules, ruleChanges }: LedgerRows): Map<number, RuleVersion> {
  const versions = new Map<number, RuleVersion>();
  if (rules !== undefined) versions.set(rules.version, { rules: rulesOf(rules), since: null });
  for (const { before, after, at } of ruleChanges) {
    const [old, fresh] = [before, after] as (RiskRules & { version: number })[];
    if (old !== undefined && !versions.has(old.version))
      versions.set(old.version, { rules: withoutVersion(old), since: null });
    if (fresh !== undefined)
      versions.set(fresh.version, { rules: withoutVersion(fresh), since: new Date(at) });
  }
  return versions;
}

const withoutVersion = ({ version: _, ...rules }: RiskRules & { version: number }): RiskRules => rules;

type InForce = {
  versions: ReadonlyMap<number, RuleVersion>;
  /** The version of the decision before. */
  lastVersion: number;
  /** Whether times say what came first. */
  isTimed: boolean;
};

/** A receipt names rules there were, that were in force when it was written, and never older ones than the last. */
function checkRules(
  { row }: BookedOrder,
  receipt: Receipt,
  step: StepRow,
  { versions, lastVersion, isTimed }: InForce,
  report: Report,
): void {
  const decidedAt = new Date(receipt.decidedAt);
  if (decidedAt.getTime() !== Date.parse(step.at)) {
    report('trade_order', row.id, 'time of the receipt', step.at, receipt.decidedAt);
  }
  const known = versions.get(receipt.rulesVersion);
  if (known === undefined || !isDeepStrictEqual(known.rules, { ...receipt.rules })) {
    report(
      'trade_order',
      row.id,
      `rules of version ${receipt.rulesVersion}`,
      JSON.stringify(known?.rules ?? null),
      JSON.stringify(receipt.rules),
    );
  }
  const next = versions.get(receipt.rulesVersion + 1)?.since;
  const inForce =
    receipt.rulesVersion >= lastVersion &&
    (!isTimed || known?.since == null || known.since <= decidedAt) &&
    (!isTimed || next == null || next >= decidedAt);
  if (!inForce) {
    report('trade_order', row.id, 'rulesVersion', 'the version in force', String(receipt.rulesVersion));
  }
}
