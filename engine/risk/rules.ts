import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import { underAccountLock } from '../account-lock.ts';
import { audit } from '../audit.ts';
import { dbOf, type Work } from '../context.ts';
import { type Decimal, exact } from '../decimal.ts';
import { DomainError, type FieldIssue } from '../errors.ts';
import { recordEvents } from '../events.ts';
import { toIso } from '../time.ts';
import { refuseOtherVersion } from '../version.ts';
import type { RiskRules } from './decide.ts';

/** The rules in force, with the version every receipt names. */
export type RiskRulesView = RiskRules & { version: number; updatedAt: string };

/** What a change may say: any of the six, by field. An absent one keeps its value. */
export type RiskRulesPatch = { [Rule in keyof RiskRules]?: Decimal.Value | undefined };

type RulesRow = Selectable<Database['risk_rules']>;

const COLUMNS = {
  maxOrderSize: 'max_order_size',
  maxDailyLoss: 'max_daily_loss',
  maxOpenPositions: 'max_open_positions',
  maxOrdersPerMinute: 'max_orders_per_minute',
  cooldownAfterLossSec: 'cooldown_after_loss_sec',
  requireApprovalAbove: 'require_approval_above',
} as const satisfies Record<keyof RiskRules, keyof RulesRow>;

export const RULE_NAMES = Object.keys(COLUMNS) as (keyof RiskRules)[];

const WHOLE: ReadonlySet<keyof RiskRules> = new Set([
  'maxOpenPositions',
  'maxOrdersPerMinute',
  'cooldownAfterLossSec',
]);
/** What the database's `int` holds. */
const WHOLE_MAX = 2_147_483_647;
/** What `numeric(38,12)` holds left of the point. */
const MONEY_MAX = '99999999999999999999999999';

/** The account's rules. */
export async function readRules(work: Work): Promise<RiskRulesView> {
  const row = await dbOf(work)
    .selectFrom('risk_rules')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .executeTakeFirstOrThrow();
  return viewOf(row);
}

/**
 * Changes the rules named in `patch` and no others, from the next decision on. Takes the account's lock, so no
 * decision sees half of a change. A patch that changes nothing leaves version and audit trail as they are.
 *
 * @throws DomainError `validation_failed` for a value no rule can have, `precondition_failed` if the rules are not
 *   at `ifVersion` any more.
 */
export async function updateRules(
  work: Work,
  patch: RiskRulesPatch,
  ifVersion?: number,
): Promise<RiskRulesView> {
  refuseImpossible(patch);
  return underAccountLock(work, async (tx, now) => {
    const before = await readRules(tx);
    refuseOtherVersion(before.version, ifVersion);
    const changed = RULE_NAMES.filter((rule) => {
      const wanted = patch[rule];
      return wanted !== undefined && !exact(wanted).eq(before[rule]);
    });
    if (changed.length === 0) return before;

    const row = await dbOf(tx)
      .updateTable('risk_rules')
      .set({
        ...Object.fromEntries(
          changed.map((rule) => [COLUMNS[rule], exact(patch[rule] ?? before[rule]).toFixed()]),
        ),
        version: before.version + 1,
        updated_at: now,
      })
      .where('account_id', '=', tx.accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = viewOf(row);
    await audit(tx, {
      action: 'risk_rules.changed',
      subjectId: null,
      before: asJson(before),
      after: asJson(after),
      at: now,
    });
    await recordEvents(tx, now, [{ type: 'risk_rules.changed', payload: { version: after.version } }]);
    return after;
  });
}

/** The six rules of a row, numbers without trailing zeros. */
export function rulesOf(row: Pick<RulesRow, (typeof COLUMNS)[keyof RiskRules]>): RiskRules {
  return {
    maxOrderSize: exact(row.max_order_size).toFixed(),
    maxDailyLoss: exact(row.max_daily_loss).toFixed(),
    maxOpenPositions: row.max_open_positions,
    maxOrdersPerMinute: row.max_orders_per_minute,
    cooldownAfterLossSec: row.cooldown_after_loss_sec,
    requireApprovalAbove: exact(row.require_approval_above).toFixed(),
  };
}

const viewOf = (row: RulesRow): RiskRulesView => ({
  ...rulesOf(row),
  version: row.version,
  updatedAt: toIso(row.updated_at),
});

/** The rules and their version alone: what an audit row compares. */
const asJson = ({ updatedAt: _, ...rules }: RiskRulesView): Json => rules;

function refuseImpossible(patch: RiskRulesPatch): void {
  const issues = RULE_NAMES.flatMap((rule): FieldIssue[] => {
    const wanted = patch[rule];
    if (wanted === undefined) return [];
    const value = exact(wanted);
    if (WHOLE.has(rule) && !(value.isInteger() && value.gte(0) && value.lte(WHOLE_MAX))) {
      return [issue(rule, `expected an integer from 0 to ${WHOLE_MAX}, got ${value}`)];
    }
    if (!(value.gte(0) && value.lte(MONEY_MAX) && value.decimalPlaces() <= 12)) {
      return [issue(rule, `expected an amount of USD from 0 on with at most 12 decimals, got ${value}`)];
    }
    return [];
  });
  if (issues.length === 0) return;
  throw new DomainError('validation_failed', issues.map(({ message }) => message).join('; '), { issues });
}

const issue = (rule: keyof RiskRules, message: string): FieldIssue => ({
  path: `/${rule}`,
  code: 'invalid_value',
  message: `${rule}: ${message}`,
});
