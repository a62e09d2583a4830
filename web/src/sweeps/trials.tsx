import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sweep, SweepTrial } from '../api/rows.ts';
import { type Inputs, trpc } from '../api/trpc.ts';
import { amount, fineShare, signedFineShare } from '../format/number.ts';
import { type Message, msg, t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { Panel, RowSkeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { OBJECTIVES } from './figures.ts';
import { objectiveOf } from './form-values.ts';
import { scalarWords } from './parameters.ts';
import { whileGoingOn } from './use-sweep.ts';

type Sort = NonNullable<Inputs['sweeps']['trials']['sort']>;

const SORTS: readonly (readonly [Sort, Message])[] = [
  ['score', msg('The best first')],
  ['totalReturn', msg('Most return first')],
  ['sharpe', msg('Highest Sharpe first')],
  ['maxDrawdown', msg('Least drawdown first')],
  ['trades', msg('Most trades first')],
  ['number', msg('As they were made')],
];

const LISTED = 25;
const LISTED_MAX = 500;

type TrialsProps = { sweep: Sweep; names: readonly string[]; onApply: (number: number) => void };

/** What each combination came to. */
export function TrialsPanel({ sweep, names, onApply }: TrialsProps) {
  const [sort, setSort] = useState<Sort>('score');
  const [limit, setLimit] = useState(LISTED);
  const trials = useQuery({
    ...trpc.sweeps.trials.queryOptions({ id: sweep.id, sort, limit }),
    ...whileGoingOn(sweep),
    placeholderData: keepPreviousData,
  });
  const { statistic, minTrades } = objectiveOf(sweep);
  const { title } = OBJECTIVES[statistic];
  return (
    <Panel
      title={t('Trials')}
      flush
      actions={
        <select
          className="text-input choice-input"
          aria-label={t('Order of the trials')}
          value={sort}
          onChange={(event) => setSort(event.currentTarget.value as Sort)}
        >
          {SORTS.map(([name, words]) => (
            <option key={name} value={name}>
              {t(words)}
            </option>
          ))}
        </select>
      }
    >
      {trials.error && !trials.data ? (
        <ProblemNotice error={trials.error} retry={() => void trials.refetch()} />
      ) : null}
      {trials.data ? null : trials.error ? null : <RowSkeleton rows={6} height={26} />}
      {trials.data?.length === 0 ? (
        <p className="table-note dim">
          {sweep.areTrialsKept ? t('There is none yet.') : t('They made room for those of newer sweeps.')}
        </p>
      ) : null}
      {trials.data && trials.data.length > 0 ? (
        <table className="rows cards" aria-label={t('Trials')}>
          <thead>
            <tr>
              <th className="num">#</th>
              {names.map((name) => (
                <th key={name} className="num">
                  {name}
                </th>
              ))}
              <th className="num">{t(title)}</th>
              {statistic === 'totalReturn' ? null : <th className="num">{t('Return')}</th>}
              <th className="num">{t('Deepest fall')}</th>
              <th className="num">{t('Trades')}</th>
              <th>
                <span className="sr">{t('Apply')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {trials.data.map((trial) => (
              <Row key={trial.number} {...{ trial, names, statistic, onApply }} />
            ))}
          </tbody>
        </table>
      ) : null}
      <div className="row apart table-note">
        <span className="dim small">
          {minTrades > 0
            ? t('Without a rank: fewer than {minTrades} trades, or the figure cannot be told.', {
                minTrades: amount(minTrades),
              })
            : t('Without a rank: the figure cannot be told.')}{' '}
          {t(
            'A return of the best of many says little by itself: read it with what luck explains of it, above.',
          )}
        </span>
        {trials.data && trials.data.length >= limit && limit < LISTED_MAX ? (
          <button type="button" className="chip large" onClick={() => setLimit(LISTED_MAX)}>
            {t('Show more')}
          </button>
        ) : null}
      </div>
    </Panel>
  );
}

type RowProps = {
  trial: SweepTrial;
  names: readonly string[];
  statistic: keyof typeof OBJECTIVES;
  onApply: (number: number) => void;
};

function Row({ trial: { number, values, score, figures }, names, statistic, onApply }: RowProps) {
  const { title, write } = OBJECTIVES[statistic];
  return (
    <tr data-trial={number} tabIndex={0}>
      <td data-label={t('Number')} className="num dim">
        {amount(number + 1)}
      </td>
      {values.map((value, place) => (
        <td key={names[place]} data-label={names[place]} className="num">
          {scalarWords(value)}
        </td>
      ))}
      <td data-label={t(title)} className="num">
        {score === null ? '—' : write(score)}
      </td>
      {statistic === 'totalReturn' ? null : (
        <td data-label={t('Return')} className="num">
          {signedFineShare(figures.totalReturn.value)}
        </td>
      )}
      <td data-label={t('Deepest fall')} className="num">
        {fineShare(-figures.maxDrawdown)}
      </td>
      <td data-label={t('Trades')} className="num">
        {amount(figures.closed)}
      </td>
      <td data-label="" className="num">
        <button type="button" className="chip" onClick={() => onApply(number)}>
          <Trans
            message="Apply…<span> trial {number} as draft</span>"
            values={{ number: number + 1 }}
            tags={{ span: <span className="sr" /> }}
          />
        </button>
      </td>
    </tr>
  );
}
