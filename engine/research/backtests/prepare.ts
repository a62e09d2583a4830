import type { Json } from '../../../db/json.ts';
import type { MarketData } from '../../../venues/port.ts';
import type { Work } from '../../platform/context.ts';
import { type FieldIssue, invalid } from '../../platform/errors.ts';
import type { RiskRulesPatch } from '../../risk/rule-limits.ts';
import { byOptionalRule } from '../../risk/rules/catalogue.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import { readBlueprint } from '../../usecases/blueprints/drafts/row.ts';
import { readRelease } from '../../usecases/blueprints/releases/releases.ts';
import { compileWithFacts } from '../../usecases/blueprints/running/compile-with-facts.ts';
import { blueprintInvalid } from '../../usecases/blueprints/running/deploy.ts';
import type { AdmitLookUp } from '../../usecases/blueprints/running/look-up.ts';
import { planRulesChange, type RulesRow } from '../../usecases/risk-rules/change.ts';
import { readRulesRow } from '../../usecases/risk-rules/rules.ts';
import { BACKTEST_DEFAULTS, type BacktestRequest } from '../playback/request.ts';
import type { Terms } from './row.ts';

/** Input of a caller; missing fields have the values of {@link BACKTEST_DEFAULTS}. */
export type BacktestParams = {
  readonly blueprintId: string | null;
  readonly release: number | null;
  /** Undefined: the blueprint's graph. */
  readonly visual: Json | undefined;
  readonly from: string;
  readonly to: string;
  readonly cash?: string | undefined;
  readonly seed?: number | undefined;
  readonly riskFree?: number | undefined;
  readonly fresh?: boolean | undefined;
  readonly data?: Given<BacktestRequest['data']> | undefined;
  readonly fills?: Given<BacktestRequest['fills']> | undefined;
  readonly fees?: BacktestRequest['fees'] | undefined;
  readonly risk: {
    readonly rules: 'account' | RiskRulesPatch;
    readonly approvals: Given<BacktestRequest['risk']['approvals']>;
  };
  readonly checks?: boolean | undefined;
  readonly sensitivity?: boolean | undefined;
};
type Given<Part> = { readonly [Key in keyof Part]?: Part[Key] | undefined };

/** All inputs of a run except its data: the content of a backtest's row. */
export type PreparedBacktest = {
  readonly request: BacktestRequest;
  readonly visual: Json;
  readonly name: string;
  readonly terms: Terms;
};

export type PrepareOptions = {
  readonly market: MarketData;
  readonly settings: TradingSettings;
  readonly admit?: AdmitLookUp;
};

const CASH_DEFAULT = '10000';
const NAME_OF_GRAPH = 'A drawing';

/**
 * Reads the input of a run, and checks all that can be checked before: the graph compiles, the range is over.
 *
 * @throws DomainError `not_found`, `validation_failed`, `blueprint_invalid` with one issue per problem.
 */
export async function prepareBacktest(
  work: Work,
  params: BacktestParams,
  { market, settings, admit }: PrepareOptions,
): Promise<PreparedBacktest> {
  refuseImpossible(params, market.now());
  const { name, visual } = await graphOf(work, params);
  const span = { firstMs: Date.parse(params.from), lastMs: Date.parse(params.to) - 1 };
  const { plan, issues, members } = await compileWithFacts(work.db, market, visual, admit, { span });
  if (plan === null) throw blueprintInvalid(issues);
  const row = await readRulesRow(work);
  const { rules } = params.risk;
  return {
    request: { ...requestOf(params), ...(members !== null && { members }) },
    visual,
    name,
    terms: { rules: rules === 'account' ? row : rulesGiven(row, rules), settings },
  };
}

function refuseImpossible({ blueprintId, release, visual, from, to }: BacktestParams, nowMs: number): void {
  const issues: FieldIssue[] = [];
  const wrong = (path: string, message: string) => issues.push({ path, code: 'invalid_value', message });
  if (blueprintId === null && visual === undefined) wrong('/blueprintId', 'is required without a graph');
  if (blueprintId === null && release !== null) wrong('/release', 'is of a blueprint, and there is none');
  if (visual !== undefined && release !== null)
    wrong('/visual', 'stands in place of a release: send one of them');
  if (Date.parse(from) >= Date.parse(to)) wrong('/from', `must be before ${to}`);
  if (Date.parse(to) > nowMs) wrong('/to', 'lies in the future: nothing is known of it');
  if (issues.length > 0) throw invalid(issues);
}

async function graphOf(
  work: Work,
  { blueprintId, release, visual }: BacktestParams,
): Promise<{ name: string; visual: Json }> {
  if (blueprintId === null) return { name: NAME_OF_GRAPH, visual: visual ?? null };
  const { name, visual: draft } = await readBlueprint(work, blueprintId);
  if (visual !== undefined) return { name, visual };
  if (release === null) return { name, visual: draft };
  return { name, visual: (await readRelease(work, blueprintId, release)).visual };
}

/** Returns the stored form, with all defaults written out. */
function requestOf(params: BacktestParams): BacktestRequest {
  const { blueprintId, release, from, to, data, fills, risk } = params;
  const preset = BACKTEST_DEFAULTS;
  return {
    blueprintId,
    release,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    cash: params.cash ?? CASH_DEFAULT,
    seed: params.seed ?? preset.seed,
    riskFree: params.riskFree ?? preset.riskFree,
    data: {
      source: data?.source ?? preset.data.source,
      detail: data?.detail ?? preset.data.detail,
      substitute: data?.substitute ?? preset.data.substitute,
    },
    fills: {
      latencyMs: fills?.latencyMs ?? preset.fills.latencyMs,
      halfSpread: fills?.halfSpread ?? preset.fills.halfSpread,
      slippageTicks: fills?.slippageTicks ?? preset.fills.slippageTicks,
      liquidity: fills?.liquidity ?? preset.fills.liquidity,
      share: fills?.share ?? preset.fills.share,
      highLow: fills?.highLow ?? preset.fills.highLow,
    },
    fees: params.fees ?? preset.fees,
    risk: {
      rules: risk.rules === 'account' ? 'account' : limitsIn(risk.rules),
      approvals: {
        policy: risk.approvals.policy ?? preset.risk.approvals.policy,
        delaySec: risk.approvals.delaySec ?? preset.risk.approvals.delaySec,
      },
    },
    checks: params.checks ?? preset.checks,
    sensitivity: params.sensitivity ?? preset.sensitivity,
  };
}

const limitsIn = (rules: RiskRulesPatch): Record<string, number> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([name, limit]) =>
      limit === undefined || limit === null ? [] : [[name, Number(limit)] as const],
    ),
  );

/** Returns the account's row with other limits: an optional rule that is not given is off. */
function rulesGiven(row: RulesRow, given: RiskRulesPatch): RulesRow {
  const patch = { ...byOptionalRule(() => null), ...given };
  return planRulesChange(row, patch, new Date(row.updated_at))?.row ?? row;
}
