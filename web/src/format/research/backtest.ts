import type { Backtest, BacktestOutline } from '../../api/row-types.ts';
import type { Inputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { amount } from '../number.ts';

type Result = NonNullable<Backtest['result']>;
export type Verdict = Result['verdicts'][number];
export type Severity = Verdict['severity'];

const PHASES: Readonly<Record<NonNullable<Backtest['phase']>, Message>> = {
  history: msg('Reading history'),
  running: msg('Running'),
  checks: msg('Checking for look-ahead'),
  writing: msg('Writing the result'),
};

const FIDELITIES: Readonly<Record<Result['fidelity'], Message>> = {
  A: msg('recorded books or quotes'),
  B: msg('bid and ask candles, or history of a second'),
  C: msg('bars, with a path inside'),
  D: msg('midpoints only'),
};

const PACES: Readonly<Record<Result['pace'], Message>> = {
  candles: msg('at closes of candles'),
  quotes: msg('at every recorded quote'),
  path: msg('along a path inside bars'),
};

export const phaseWords = (phase: Backtest['phase']): string => t(phase ? PHASES[phase] : msg('Waiting'));
export const fidelityWords = (fidelity: Result['fidelity']): string => t(FIDELITIES[fidelity]);
export const paceWords = (pace: Result['pace']): string => t(PACES[pace]);

/** Whether it is still under way. */
export const isUnderWay = ({ status }: Pick<BacktestOutline, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const GRAVITY: Readonly<Record<Severity, number>> = { danger: 0, warning: 1, info: 2 };

/** Verdicts in the order of reading, gravest first. */
export const sortBySeverity = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.toSorted((a, b) => GRAVITY[a.severity] - GRAVITY[b.severity]);

/** The reasons why two runs cannot be compared. */
const REASONS: Readonly<Record<string, Message>> = {
  other_range: msg('they are of other ranges'),
  other_cash: msg('they begin with other cash'),
  other_data: msg('they ran over other data'),
  other_fees: msg('they paid other fees'),
  unfinished: msg('one of them has not finished'),
};

export const incomparableWords = (reasons: readonly string[]): string =>
  reasons
    .map((reason) => {
      const known = REASONS[reason];
      return known ? t(known) : reason.replaceAll('_', ' ');
    })
    .join(', ');

/** The values of the form, as text where they are typed. */
export type BacktestForm = {
  /** `draft`, or the number of a release. */
  of: string;
  /** `YYYY-MM-DDTHH:mm`, UTC. */
  from: string;
  to: string;
  cash: string;
  source: 'auto' | 'recorded' | 'bars';
  detail: 'auto' | '1s' | '1m' | 'none';
  latencySec: string;
  /** Empty: by venue and known quotes. */
  halfSpread: string;
  slippageTicks: string;
  liquidity: 'share' | 'unlimited';
  sharePct: string;
  highLow: 'likely' | 'high_first' | 'low_first' | 'both';
  fees: 'schedule' | 'none';
  approvals: 'auto' | 'never';
  delaySec: string;
  riskFreePct: string;
  seed: string;
  checks: boolean;
  token: string;
  /** One instrument a line. */
  substitutes: string;
};

const DAY_MS = 86_400_000;
const MINUTE = 16;

/** An instant as the value of a form field, UTC. */
export const dateTimeField = (ms: number): string => new Date(ms).toISOString().slice(0, MINUTE);
/** The instant of a form field, or null. */
export function instantOf(field: string): string | null {
  const ms = Date.parse(`${field}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Common ranges in days, until the start of the current UTC day. */
export const RANGE_DAYS = [7, 30, 90, 365] as const;

export function lastDays(days: number, nowMs: number): Pick<BacktestForm, 'from' | 'to'> {
  const to = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { from: dateTimeField(to - days * DAY_MS), to: dateTimeField(to) };
}

/** The most conservative assumptions. */
export const blankForm = (nowMs: number): BacktestForm => ({
  of: 'draft',
  ...lastDays(30, nowMs),
  cash: '10000',
  source: 'auto',
  detail: 'auto',
  latencySec: '2',
  halfSpread: '',
  slippageTicks: '0',
  liquidity: 'share',
  sharePct: '10',
  highLow: 'likely',
  fees: 'schedule',
  approvals: 'auto',
  delaySec: '60',
  riskFreePct: '0',
  seed: '1',
  checks: true,
  token: '',
  substitutes: '',
});

type Stored = {
  release: number | null;
  from: string;
  to: string;
  cash: string;
  seed: number;
  riskFree: number;
  data: {
    source: BacktestForm['source'];
    detail: BacktestForm['detail'];
    substitute: Record<string, string[]>;
  };
  fills: {
    latencyMs: number;
    halfSpread: string;
    slippageTicks: number;
    liquidity: BacktestForm['liquidity'];
    share: string;
    highLow: BacktestForm['highLow'];
  };
  fees: BacktestForm['fees'];
  risk: { approvals: { policy: BacktestForm['approvals']; delaySec: number } };
  checks: boolean;
};

/** The form of a stored request. A field that another version left out is taken from the blank form. */
export function formOf(request: unknown, nowMs: number): BacktestForm {
  const blank = blankForm(nowMs);
  if (typeof request !== 'object' || request === null || !('fills' in request)) return blank;
  const { release, from, to, cash, seed, riskFree, data, fills, fees, risk, checks } = request as Stored;
  const [token = '', substitutes = []] = Object.entries(data.substitute)[0] ?? [];
  return {
    of: release === null ? 'draft' : String(release),
    from: dateTimeField(Date.parse(from)),
    to: dateTimeField(Date.parse(to)),
    cash,
    source: data.source,
    detail: data.detail,
    latencySec: String(fills.latencyMs / 1_000),
    halfSpread: fills.halfSpread === 'auto' ? '' : fills.halfSpread,
    slippageTicks: String(fills.slippageTicks),
    liquidity: fills.liquidity,
    sharePct: String(Number((Number(fills.share) * 100).toPrecision(12))),
    highLow: fills.highLow,
    fees,
    approvals: risk.approvals.policy,
    delaySec: String(risk.approvals.delaySec),
    riskFreePct: String(Number((riskFree * 100).toPrecision(12))),
    seed: String(seed),
    checks,
    token,
    substitutes: substitutes.join('\n'),
  };
}

/** The service's limit; a test checks that they are equal. */
export const LATENCY_MAX_SEC = 10;

export type Faults = { [Name in keyof BacktestForm]?: string };

const isDecimal = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text.trim());
export const isWhole = (text: string): boolean => /^\d+$/.test(text.trim());

/** The faults of the form, by field. The service checks it again. */
export function faultsOf(form: BacktestForm): Faults {
  const [from, to] = [instantOf(form.from), instantOf(form.to)];
  const faults: Faults = {};
  if (from === null) faults.from = t('Enter a day and a time.');
  if (to === null) faults.to = t('Enter a day and a time.');
  else if (from !== null && from >= to) faults.to = t('It has to be after the beginning.');
  if (!isDecimal(form.cash) || Number(form.cash) <= 0) faults.cash = t('Enter more than 0.');
  for (const name of ['latencySec', 'sharePct', 'riskFreePct'] as const)
    if (!isDecimal(form[name])) faults[name] = t('Enter 0 or more.');
  if (!faults.latencySec && Number(form.latencySec) > LATENCY_MAX_SEC)
    faults.latencySec = t('At most {latencyMaxSec} s.', { latencyMaxSec: LATENCY_MAX_SEC });
  for (const name of ['slippageTicks', 'delaySec', 'seed'] as const)
    if (!isWhole(form[name])) faults[name] = t('A whole number.');
  if (form.halfSpread.trim() !== '' && !isDecimal(form.halfSpread))
    faults.halfSpread = t('Leave it empty, or enter 0 or more.');
  if (form.token === '' && form.substitutes.trim() !== '') faults.token = t('Choose what they stand in for.');
  return faults;
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export type BacktestStart = Inputs['backtests']['start'];

/** The request of a form. */
export function requestOf(blueprintId: string, form: BacktestForm): BacktestStart {
  const substitutes = linesOf(form.substitutes);
  return {
    blueprintId,
    release: form.of === 'draft' ? null : Number(form.of),
    from: instantOf(form.from) ?? '',
    to: instantOf(form.to) ?? '',
    cash: form.cash.trim(),
    seed: Number(form.seed),
    riskFree: Number(form.riskFreePct) / 100,
    data: {
      source: form.source,
      detail: form.detail,
      ...(form.token !== '' && substitutes.length > 0 && { substitute: { [form.token]: substitutes } }),
    },
    fills: {
      latencyMs: Math.round(Number(form.latencySec) * 1_000),
      halfSpread: form.halfSpread.trim() === '' ? 'auto' : form.halfSpread.trim(),
      slippageTicks: Number(form.slippageTicks),
      liquidity: form.liquidity,
      share: String(Number((Number(form.sharePct) / 100).toPrecision(12))),
      highLow: form.highLow,
    },
    fees: form.fees,
    risk: { approvals: { policy: form.approvals, delaySec: Number(form.delaySec) } },
    checks: form.checks,
  };
}

export type AssumptionLine = {
  readonly name: string;
  readonly value: string;
  readonly isFlattering: boolean;
};

/** Only for a single run; runs of a sweep are not checked for it. */
export const LOOK_AHEAD = msg('Look-ahead');

const HIGH_LOW: Readonly<Record<BacktestForm['highLow'], Message>> = {
  likely: msg('a random path inside each bar'),
  high_first: msg('the high before the low'),
  low_first: msg('the low before the high'),
  both: msg('the lowest of three random paths'),
};

/** The form's assumptions, in words; those that flatter the result are marked. */
export function assumptionsOf(form: BacktestForm): AssumptionLine[] {
  const line = (name: string, value: string, isFlattering = false) => ({ name, value, isFlattering });
  return [
    line(
      t('Latency'),
      t('{latencySec} s after the decision, at the first price then', { latencySec: form.latencySec }),
      Number(form.latencySec) === 0,
    ),
    line(
      t('It is filled by'),
      form.liquidity === 'share'
        ? t('at most {sharePct}% of the last bar’s volume', { sharePct: form.sharePct })
        : t('as much as it wants, whatever was traded'),
      form.liquidity === 'unlimited',
    ),
    line(
      t('Half the spread'),
      form.halfSpread.trim() === '' ? t('as recorded, else by venue') : form.halfSpread,
      form.halfSpread.trim() !== '' && Number(form.halfSpread) === 0,
    ),
    line(t('Slippage'), t('{slippageTicks} ticks against it', { slippageTicks: form.slippageTicks })),
    line(t('Intrabar path'), t(HIGH_LOW[form.highLow])),
    line(t('Fees'), form.fees === 'schedule' ? t('the venue’s schedule') : t('none'), form.fees === 'none'),
    line(t('Risk rules'), t('those of the account, as they are now')),
    line(
      t('Approvals'),
      form.approvals === 'auto'
        ? t('given {delaySec} s later, checked again then', { delaySec: form.delaySec })
        : t('never given: what waits expires'),
    ),
    line(t('At the end'), t('nothing is sold that the strategy did not sell')),
    line(t(LOOK_AHEAD), form.checks ? t('checked at three instants') : t('not checked'), !form.checks),
  ];
}

/** A value of a request, for display. */
export function requestValue(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'number') return amount(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `/fills/latencyMs` is `fills, latency ms`. */
export const requestPath = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/([A-Z])/g, ' $1').toLowerCase())
    .join(', ');

/** Settings of nodes that name an instrument. */
const INSTRUMENT_FIELDS: ReadonlySet<string> = new Set(['instrument', 'symbol']);

/** Every object in a graph. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

const instrumentsOf = (config: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(config).flatMap(([name, value]) =>
    INSTRUMENT_FIELDS.has(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );

/** The instruments that a graph names, each once. */
export const instrumentsIn = (visual: unknown): string[] => [
  ...new Set([...objectsIn(visual)].flatMap(instrumentsOf)),
];

/** The candle lengths that a graph reads of an instrument; minutes, which every venue has, if it reads none. */
export function intervalsIn(visual: unknown, token: string): string[] {
  const found = [...objectsIn(visual)].flatMap((config) =>
    typeof config['interval'] === 'string' && instrumentsOf(config).includes(token)
      ? [config['interval']]
      : [],
  );
  return found.length === 0 ? ['1m'] : [...new Set(found)];
}
