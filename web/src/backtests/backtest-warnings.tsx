import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { amount } from '../format/number.ts';
import {
  hasCount,
  type Severity,
  sortBySeverity,
  type Verdict,
  withLocalFigures,
} from '../format/research/backtest-words.ts';
import { withLocalTimes } from '../format/time.ts';
import { msg, t, translateReason } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';

const LOOK = {
  danger: { icon: CircleAlert, tone: 'bad', word: msg('Spoils the result') },
  warning: { icon: TriangleAlert, tone: 'warn', word: msg('May distort it') },
  info: { icon: Info, tone: 'info', word: msg('To know') },
} as const satisfies Record<Severity, unknown>;

/** The verdicts, read before any figure: those that may spoil the result, and behind a press the notes. */
export function BriefBacktestWarnings({ verdicts }: { verdicts: readonly Verdict[] }) {
  const notes = verdicts.filter(({ severity }) => severity === 'info');
  return (
    <div className="stack tight">
      <BacktestWarnings verdicts={verdicts.filter(({ severity }) => severity !== 'info')} />
      {notes.length === 0 ? null : (
        <details className="notes small">
          <summary>{t('{count, plural, one {# note} other {# notes}}', { count: notes.length })}</summary>
          <BacktestWarnings verdicts={notes} />
        </details>
      )}
    </div>
  );
}

/** All verdicts, the worst first. */
export function BacktestWarnings({ verdicts }: { verdicts: readonly Verdict[] }) {
  const zone = useSettings((settings) => settings.zone);
  if (verdicts.length === 0) return null;
  return (
    <ul className="verdicts" aria-label={t('Before the figures')}>
      {sortBySeverity(verdicts).map(({ code, severity, message, count }) => {
        const { icon: Icon, tone, word } = LOOK[severity];
        return (
          <li key={`${code} ${message}`} className={`status wraps ${tone}`} data-verdict={code}>
            <Icon size={16} aria-label={t(word)} />
            <span>
              {withLocalTimes(withLocalFigures(translateReason(message)), zone)}
              {count === undefined || hasCount(message, count) ? null : (
                <span className="dim"> ({amount(count)})</span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
