import type { Sweep, SweepOutline } from '../api/row-types.ts';
import type { Inputs } from '../api/trpc.ts';
import type { Scalar } from '../editor/drawing/parameters.ts';
import { amount } from '../format/number.ts';
import {
  type BacktestForm,
  backtestFaults,
  backtestFormOf,
  backtestRequestOf,
  isWholeNumber,
} from '../format/research/backtest-form.ts';
import { t } from '../language/language.ts';
import type { Parameter } from './parameters.ts';

/** The service's limits; a test checks that they are equal. */
export const TRIALS_MAX = 10_000;
export const VALUES_MAX = 1_000;
export const DIMENSIONS_MAX = 8;
export const FOLDS_MAX = 200;

/** One parameter as typed. */
export type DimensionForm = {
  readonly pointer: string;
  readonly kind: 'range' | 'list';
  readonly from: string;
  readonly to: string;
  readonly step: string;
  /** Separated by commas. */
  readonly values: string;
};

export type SweepForm = {
  readonly dimensions: readonly DimensionForm[];
  /** Only combinations in which the first is below the second; both empty for all. */
  readonly less: string;
  readonly than: string;
  readonly search: 'grid' | 'random';
  readonly count: string;
  readonly searchSeed: string;
  readonly statistic: NonNullable<SweepStart['objective']>['statistic'];
  readonly minTrades: string;
  readonly walks: boolean;
  readonly trainDays: string;
  readonly testDays: string;
  readonly isAnchored: boolean;
  readonly holdingDays: string;
};

export type SweepStart = Inputs['sweeps']['start'];

export const BLANK_SWEEP: SweepForm = {
  dimensions: [],
  less: '',
  than: '',
  search: 'grid',
  count: '500',
  searchSeed: '1',
  statistic: 'sharpe',
  minTrades: '30',
  walks: false,
  trainDays: '20',
  testDays: '5',
  isAnchored: false,
  holdingDays: '1',
};

const ROUND_STEPS = [1, 2, 5, 10];
const STEPS_EACH_WAY = 5;

/** A parameter with values around its own, in round steps; a choice with all its options. */
export function dimensionOf({ pointer, value, options, min, max }: Parameter): DimensionForm {
  if (typeof value !== 'number') {
    return { pointer, kind: 'list', from: '', to: '', step: '', values: options.join(', ') };
  }
  const step = roundStep(Math.abs(value) / 10 || 1);
  const stepsTo = (bound: number | undefined) =>
    bound === undefined ? STEPS_EACH_WAY : Math.max(0, Math.floor(Math.abs(bound - value) / step + 1e-9));
  const positive = value > 0 ? Math.ceil(value / step) - 1 : STEPS_EACH_WAY;
  const below = Math.min(STEPS_EACH_WAY, positive, stepsTo(min));
  const above = Math.min(STEPS_EACH_WAY, stepsTo(max));
  const at = (steps: number) => String(Number((value + steps * step).toPrecision(12)));
  return { pointer, kind: 'range', from: at(-below), to: at(above), step: String(step), values: '' };
}

/** The first of 1, 2, 5 and their tenfolds that is no less; whole if the value is. */
function roundStep(least: number): number {
  const scale = 10 ** Math.floor(Math.log10(least));
  const factor = ROUND_STEPS.find((each) => each * scale >= least * (1 - 1e-9)) ?? 10;
  return Number((factor * scale).toPrecision(12));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const isNumber = (text: string): boolean => NUMBER.test(text.trim());

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function scalarOf(text: string, { value }: Pick<Parameter, 'value'>): Scalar {
  if (typeof value === 'number') return Number(text);
  return typeof value === 'boolean' ? text === 'true' : text;
}

/** The number of values of a parameter; 0 if it cannot be computed. */
export function valueCount({ kind, from, to, step, values }: DimensionForm): number {
  if (kind === 'list') return listOf(values).length;
  if (![from, to, step].every(isNumber) || Number(step) <= 0 || Number(to) < Number(from)) return 0;
  const places = Math.max(...[from, to, step].map((text) => text.trim().split('.')[1]?.length ?? 0));
  // Counts in units of the last decimal place: 0.3 in steps of 0.1 is 3.
  const [first, last, each] = [from, to, step].map((text) => Math.round(Number(text) * 10 ** places));
  return Math.floor(((last ?? 0) - (first ?? 0)) / (each ?? 1)) + 1;
}

const DAY_MS = 86_400_000;

export type SweepSize = {
  readonly combinations: number;
  /** The number of combinations run over the whole range. */
  readonly trials: number;
  readonly folds: number;
  /** The total: trials over the range, in every training, and one test a fold. */
  readonly runs: number;
};

/** The maximum size of a sweep: combinations that a constraint forbids are counted too. */
export function sweepSizeOf(form: SweepForm, { from, to }: Pick<BacktestForm, 'from' | 'to'>): SweepSize {
  const { dimensions, search, count, walks } = form;
  const combinations =
    dimensions.length === 0 ? 0 : dimensions.reduce((product, each) => product * valueCount(each), 1);
  const trials = search === 'grid' ? combinations : Math.min(combinations, Number(count) || 0);
  const days = Math.max(0, (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / DAY_MS);
  const folds = walks ? foldsIn(days, form) : 0;
  return { combinations, trials, folds, runs: trials * (1 + folds) + folds };
}

/** The steps from fold to fold are as long as a test: each day is tested exactly once. */
function foldsIn(days: number, { trainDays, testDays, holdingDays }: SweepForm): number {
  const [train, test, apart] = [trainDays, testDays, holdingDays].map(Number);
  if (!train || !test || apart === undefined || days < train + test + apart) return 0;
  return Math.floor((days - train - test - apart) / test) + 1;
}

export type SweepFaults = {
  readonly dimensions: readonly (string | null)[];
  readonly all: readonly string[];
  readonly fields: { readonly [Name in keyof SweepForm]?: string };
};

/** The faults of the form, by field. The service checks it again. */
export function sweepFaultsOf(form: SweepForm, run: Pick<BacktestForm, 'from' | 'to'>): SweepFaults {
  const fields: { -readonly [Name in keyof SweepForm]?: string } = {};
  for (const name of ['minTrades', 'holdingDays', 'searchSeed'] as const)
    if (!isWholeNumber(form[name])) fields[name] = t('A whole number.');
  if (form.search === 'random' && !(isWholeNumber(form.count) && Number(form.count) > 0))
    fields.count = t('A whole number above 0.');
  if (form.walks)
    for (const name of ['trainDays', 'testDays'] as const)
      if (!isWholeNumber(form[name]) || Number(form[name]) === 0) fields[name] = t('Whole days, at least 1.');
  if ((form.less === '') !== (form.than === '')) fields.than = t('Choose both, or neither.');
  return { dimensions: form.dimensions.map(dimensionFault), all: wholeFaults(form, run), fields };
}

function dimensionFault(dimension: DimensionForm): string | null {
  const count = valueCount(dimension);
  if (count > VALUES_MAX)
    return t('{count} values, of at most {valuesMax}.', {
      count: amount(count),
      valuesMax: amount(VALUES_MAX),
    });
  if (count > 0) return null;
  return dimension.kind === 'list'
    ? t('Enter values, with commas between them.')
    : t('Check from, to and step.');
}

function wholeFaults(form: SweepForm, run: Pick<BacktestForm, 'from' | 'to'>): string[] {
  const { trials, folds } = sweepSizeOf(form, run);
  const faults: string[] = [];
  if (form.dimensions.length === 0) faults.push(t('Add at least one parameter.'));
  if (trials > TRIALS_MAX)
    faults.push(
      t('{trials} combinations, of at most {trialsMax}: choose random ones.', {
        trials: amount(trials),
        trialsMax: amount(TRIALS_MAX),
      }),
    );
  if (!form.walks) return faults;
  if (![run.from, run.to].every((at) => at.endsWith('T00:00')))
    faults.push(t('Folds are whole days: begin and end at midnight UTC.'));
  if (folds === 0 || folds > FOLDS_MAX)
    faults.push(
      t('{folds} folds fit into the range; there are 1 to {foldsMax}.', {
        folds: amount(folds),
        foldsMax: FOLDS_MAX,
      }),
    );
  return faults;
}

/** Whether the form has no fault. */
export const hasNoFault = (run: BacktestForm, { dimensions, all, fields }: SweepFaults): boolean =>
  Object.keys(backtestFaults(run)).length === 0 &&
  Object.keys(fields).length === 0 &&
  all.length === 0 &&
  dimensions.every((fault) => fault === null);

/** The size in words. */
export function sizeWords({ combinations, trials, folds, runs }: SweepSize): string {
  const sampled =
    trials < combinations
      ? t('{trials} of {combinations}', { trials: amount(trials), combinations: amount(combinations) })
      : amount(combinations);
  const walked =
    folds > 0
      ? t('; with {folds, plural, one {# fold} other {# folds}} at most {runs} runs', {
          folds,
          runs: amount(runs),
        })
      : '';
  return t('{drawn} combinations, of at most {trialsMax}{walked}.', {
    drawn: sampled,
    trialsMax: amount(TRIALS_MAX),
    walked,
  });
}

/** The request of a form. */
export function sweepRequestOf(
  blueprintId: string,
  run: BacktestForm,
  form: SweepForm,
  parameters: readonly Parameter[],
): SweepStart {
  const { checks: _checks, sensitivity: _sensitivity, ...backtest } = backtestRequestOf(blueprintId, run);
  const byPointer = new Map(parameters.map((each) => [each.pointer, each]));
  return {
    ...backtest,
    space: {
      dimensions: form.dimensions.map(({ pointer, kind, from, to, step, values }) =>
        kind === 'range'
          ? { pointer, from: Number(from), to: Number(to), step: Number(step) }
          : {
              pointer,
              values: listOf(values).map((text) => scalarOf(text, byPointer.get(pointer) ?? { value: '' })),
            },
      ),
      ...(form.less !== '' && { constraints: [{ less: form.less, than: form.than }] }),
    },
    search:
      form.search === 'grid'
        ? { kind: 'grid' }
        : { kind: 'random', count: Number(form.count), seed: Number(form.searchSeed) },
    objective: { statistic: form.statistic, minTrades: Number(form.minTrades) },
    walkForward: form.walks
      ? {
          trainDays: Number(form.trainDays),
          testDays: Number(form.testDays),
          isAnchored: form.isAnchored,
          holdingDays: Number(form.holdingDays),
        }
      : null,
  };
}

type StoredDimension = { pointer: string } & (
  | { values: Scalar[] }
  | { from: number; to: number; step: number }
);
type Stored = {
  backtest: unknown;
  space: { dimensions: StoredDimension[]; constraints: { less: string; than: string }[] };
  search: { kind: 'grid' } | { kind: 'random'; count: number; seed: number };
  objective: { statistic: SweepForm['statistic']; minTrades: number };
  walkForward: {
    trainDays: number;
    testDays: number;
    isAnchored: boolean;
    holdingDays: number;
  } | null;
};

/** The stored form of a request, every default written out. */
const storedOf = ({ request }: Pick<Sweep, 'request'>): Stored => request as Stored;

/** The forms of an earlier request, to be changed and sent again. */
export function sweepFormsOf(sweep: Sweep, nowMs: number): { run: BacktestForm; form: SweepForm } {
  const { backtest, space, search, objective, walkForward } = storedOf(sweep);
  const [first] = space.constraints;
  return {
    run: backtestFormOf(backtest, nowMs),
    form: {
      ...BLANK_SWEEP,
      dimensions: space.dimensions.map((dimension) =>
        'values' in dimension
          ? {
              pointer: dimension.pointer,
              kind: 'list',
              from: '',
              to: '',
              step: '',
              values: dimension.values.join(', '),
            }
          : {
              pointer: dimension.pointer,
              kind: 'range',
              from: String(dimension.from),
              to: String(dimension.to),
              step: String(dimension.step),
              values: '',
            },
      ),
      less: first?.less ?? '',
      than: first?.than ?? '',
      search: search.kind,
      ...(search.kind === 'random' && { count: String(search.count), searchSeed: String(search.seed) }),
      statistic: objective.statistic,
      minTrades: String(objective.minTrades),
      ...(walkForward && {
        walks: true,
        trainDays: String(walkForward.trainDays),
        testDays: String(walkForward.testDays),
        isAnchored: walkForward.isAnchored,
        holdingDays: String(walkForward.holdingDays),
      }),
    },
  };
}

/** The pointers into the graph whose values a sweep varies. */
export const pointersOf = (sweep: Sweep): string[] =>
  storedOf(sweep).space.dimensions.map(({ pointer }) => pointer);
export const objectiveOf = (sweep: Sweep): Stored['objective'] => storedOf(sweep).objective;

export const isSweepUnderWay = ({ status }: Pick<SweepOutline, 'status'>): boolean =>
  status === 'queued' || status === 'running';
