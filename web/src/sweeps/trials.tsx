import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sweep, SweepTrial } from '../api/row-types.ts';
import { type Inputs, trpc } from '../api/trpc.ts';
import { amount, fineShare, signedFineShare } from '../format/number.ts';
import { msg, t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { usePageSize } from '../settings/tables.ts';
import { Panel } from '../ui/panel.tsx';
import { PendingRows } from '../ui/pending-rows.tsx';
import { ColumnMenu } from '../ui/table/column-menu.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { PageSize } from '../ui/table/page-size.tsx';
import { OBJECTIVES } from './figures.ts';
import { objectiveOf } from './form-values.ts';
import { scalarWords } from './parameters.ts';
import { pollWhileUnderWay } from './use-sweep.ts';

type By = NonNullable<Inputs['sweeps']['trials']['sort']>;

const SORTS: readonly By[] = ['score', 'number', 'totalReturn', 'sharpe', 'maxDrawdown', 'trades'];
const isBy = (column: string): column is By => SORTS.some((each) => each === column);
/** A larger figure is better, also a drawdown, which is written below 0; the best rank is 1. */
const orderOf = (by: By, isDown: boolean) => (isDown === (by !== 'number') ? 'best' : 'worst');

/** The key of the user's column choice and page size. */
const TABLE = 'trials';
const LISTED_MAX = 500;

type TrialsProps = { sweep: Sweep; names: readonly string[]; onApply: (number: number) => void };

/** The result of each combination. */
export function TrialsPanel({ sweep, names, onApply }: TrialsProps) {
  const [sort, setSort] = useState<{ column: By; isDown: boolean }>({ column: 'score', isDown: true });
  const [pages, setPages] = useState(1);
  const limit = Math.min(LISTED_MAX, usePageSize(TABLE) * pages);
  const trials = useQuery({
    ...trpc.sweeps.trials.queryOptions({
      id: sweep.id,
      sort: sort.column,
      order: orderOf(sort.column, sort.isDown),
      limit,
    }),
    ...pollWhileUnderWay(sweep),
    placeholderData: keepPreviousData,
  });
  const { statistic, minTrades } = objectiveOf(sweep);
  const columns = columnsOf(names, statistic);
  return (
    <Panel title={t('Trials')} flush actions={<ColumnMenu name={TABLE} columns={columns} />}>
      <PendingRows query={trials} rows={6} height={26} />
      {trials.data?.length === 0 ? (
        <p className="table-note dim">
          {sweep.areTrialsKept ? t('There is none yet.') : t('They made room for those of newer sweeps.')}
        </p>
      ) : null}
      {trials.data && trials.data.length > 0 ? (
        <DataTable
          name={TABLE}
          columns={columns}
          rows={trials.data.map(withId)}
          nameOf={nameOf}
          sort={sort}
          onSort={({ column, isDown }) => {
            if (isBy(column)) setSort({ column, isDown });
          }}
          rowProps={() => ({ tabIndex: 0 })}
          actions={({ number }) => (
            <button type="button" className="chip" onClick={() => onApply(number)}>
              <Trans
                message="Apply…<span> trial {number} as draft</span>"
                values={{ number: number + 1 }}
                tags={{ span: <span className="sr" /> }}
              />
            </button>
          )}
        />
      ) : null}
      <div className="row apart table-note">
        <span className="dim small">
          {minTrades > 0
            ? t('Without a rank: fewer than {minTrades} trades, or the figure cannot be computed.', {
                minTrades: amount(minTrades),
              })
            : t('Without a rank: the figure cannot be computed.')}{' '}
          {t(
            'The best return of many trials says little alone: read it with the share that luck explains, above.',
          )}
        </span>
        {trials.data && trials.data.length >= limit && limit < LISTED_MAX ? (
          <span className="row">
            <Button variant="default" loading={trials.isFetching} onClick={() => setPages(pages + 1)}>
              {t('Show more')}
            </Button>
            <PageSize name={TABLE} />
          </span>
        ) : null}
      </div>
    </Panel>
  );
}

type Row = SweepTrial & { id: string };

const withId = (trial: SweepTrial): Row => ({ ...trial, id: String(trial.number) });
const nameOf = ({ number }: Row): string => t('Trial {number}', { number: number + 1 });

/** The values of a trial and its figures; the ranking figure comes first, and once. */
function columnsOf(names: readonly string[], statistic: keyof typeof OBJECTIVES): readonly Column<Row>[] {
  const ranked = OBJECTIVES[statistic];
  const figures: readonly (Column<Row> & { id: By })[] = [
    {
      id: 'score',
      title: ranked.title,
      cell: ({ score }) => (score === null ? '—' : ranked.write(score)),
    },
    {
      id: 'totalReturn',
      title: msg('Return'),
      cell: ({ figures: { totalReturn } }) => signedFineShare(totalReturn.value),
    },
    {
      id: 'sharpe',
      title: OBJECTIVES.sharpe.title,
      cell: ({ figures: { sharpe } }) =>
        sharpe.value === null ? '—' : OBJECTIVES.sharpe.write(sharpe.value),
    },
    {
      id: 'maxDrawdown',
      title: msg('Max. drawdown'),
      cell: ({ figures: { maxDrawdown } }) => fineShare(-maxDrawdown),
    },
    { id: 'trades', title: msg('Trades'), cell: ({ figures: { closed } }) => amount(closed) },
  ];
  return [
    {
      id: 'number',
      title: msg('Number'),
      isNumber: true,
      isSortable: true,
      cell: ({ number }) => <span className="dim">{amount(number + 1)}</span>,
    },
    ...names.map(
      (name, index): Column<Row> => ({
        id: `parameter ${name}`,
        title: name,
        isOwn: true,
        isNumber: true,
        cell: ({ values }) => scalarWords(values[index] ?? '—'),
      }),
    ),
    ...figures
      .filter(({ id }) => id !== statistic)
      .map((column): Column<Row> => ({ ...column, isNumber: true, isSortable: true })),
  ];
}
