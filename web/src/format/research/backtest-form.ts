import type { Inputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';

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
  sensitivity: boolean;
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
export const blankBacktestForm = (nowMs: number): BacktestForm => ({
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
  sensitivity: false,
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
  sensitivity: boolean;
};

/** The form of a stored request. A field that another version left out is taken from the blank form. */
export function backtestFormOf(request: unknown, nowMs: number): BacktestForm {
  const blank = blankBacktestForm(nowMs);
  if (typeof request !== 'object' || request === null || !('fills' in request)) return blank;
  const {
    release,
    from,
    to,
    cash,
    seed,
    riskFree,
    data,
    fills,
    fees,
    risk,
    checks,
    sensitivity = false,
  } = request as Stored;
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
    sensitivity,
    token,
    substitutes: substitutes.join('\n'),
  };
}

/** The service's limit; a test checks that they are equal. */
export const LATENCY_MAX_SEC = 10;

export type BacktestFaults = { [Name in keyof BacktestForm]?: string };

const isDecimal = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text.trim());
export const isWholeNumber = (text: string): boolean => /^\d+$/.test(text.trim());

/** The faults of the form, by field. The service checks it again. */
export function backtestFaults(form: BacktestForm): BacktestFaults {
  const [from, to] = [instantOf(form.from), instantOf(form.to)];
  const faults: BacktestFaults = {};
  if (from === null) faults.from = t('Enter a day and a time.');
  if (to === null) faults.to = t('Enter a day and a time.');
  else if (from !== null && from >= to) faults.to = t('It has to be after the beginning.');
  if (!isDecimal(form.cash) || Number(form.cash) <= 0) faults.cash = t('Enter more than 0.');
  for (const name of ['latencySec', 'sharePct', 'riskFreePct'] as const)
    if (!isDecimal(form[name])) faults[name] = t('Enter 0 or more.');
  if (!faults.latencySec && Number(form.latencySec) > LATENCY_MAX_SEC)
    faults.latencySec = t('At most {latencyMaxSec} s.', { latencyMaxSec: LATENCY_MAX_SEC });
  for (const name of ['slippageTicks', 'delaySec', 'seed'] as const)
    if (!isWholeNumber(form[name])) faults[name] = t('A whole number.');
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
export function backtestRequestOf(blueprintId: string, form: BacktestForm): BacktestStart {
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
    sensitivity: form.sensitivity,
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
export function formAssumptionWords(form: BacktestForm): AssumptionLine[] {
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
