import type { Backtest, BacktestOutline } from '../../api/row-types.ts';
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

/** A count with commas, or a share with a point: a sentence of the service has no other commas within numbers. */
const FIGURE = /\b\d{1,3}(?:(?:,\d{3}){1,4}\b|\.\d{1,4}(?= ?%))/g;

/** A sentence of the service with its counts and shares in the number format of the user. */
export const withLocalFigures = (sentence: string): string =>
  sentence.replaceAll(FIGURE, (figure) => amount(Number(figure.replaceAll(',', ''))));

/** Whether a sentence of the service states a count. */
export const hasCount = (sentence: string, count: number): boolean =>
  sentence.replaceAll(',', '').match(/\d+/g)?.includes(String(count)) ?? false;

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
