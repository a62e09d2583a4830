import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { BacktestTable, COLUMNS, TABLE } from '../../backtests/table.tsx';
import { useBacktests } from '../../backtests/use-backtest.ts';
import { t } from '../../language/language.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { FindField } from '../../ui/table/find-field.tsx';
import { matchesWords } from '../../ui/table/matches-words.ts';
import { NewBacktestButton } from './new-backtest-button.tsx';

const COMPARED_MAX = 4;

export function BacktestsPage() {
  const { blueprint } = useSearch({ from: '/shell/backtests' });
  const navigate = useNavigate();
  const list = useBacktests(blueprint);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [words, setWords] = useState('');
  const rows = list.data;
  const matching = rows?.filter(({ name, notes }) => matchesWords(`${name} ${notes}`, words)) ?? [];
  const there = rows?.filter(({ id }) => chosen.has(id)).map(({ id }) => id) ?? [];
  const isComparable = there.length >= 2 && there.length <= COMPARED_MAX;
  return (
    <div className="page">
      <PageHead title={t('Backtests')}>
        {rows && rows.length > 1 ? (
          <FindField label={t('Find a run')} value={words} onChange={setWords} />
        ) : null}
        <ColumnMenu name={TABLE} columns={COLUMNS} />
        <Button
          variant="default"
          disabled={!isComparable}
          title={isComparable ? undefined : t('Tick two to four runs')}
          onClick={() => void navigate({ to: '/backtests/compare', search: { ids: there.join(',') } })}
        >
          {t('Compare')}
          {there.length > 0 ? ` ${there.length}` : ''}
        </Button>
        <NewBacktestButton blueprintId={blueprint} />
      </PageHead>
      <Panel
        title={blueprint ? t('Runs of one strategy') : t('Runs')}
        flush
        actions={
          blueprint ? (
            <Link to="/backtests" className="chip">
              {t('Show all')}
            </Link>
          ) : null
        }
      >
        <PendingRows query={list} rows={8} height={26} />
        {rows?.length === 0 ? (
          <EmptyState
            title={t('No backtests yet')}
            why={t(
              'A backtest runs a strategy over history with the rules, fees and matching of paper trading. Open a strategy and its Backtest tab.',
            )}
            action={<Link to="/blueprints">{t('Go to strategies')}</Link>}
            command={curl('POST', '/api/backtests', {
              blueprintId: '…',
              from: '2026-09-01T00:00:00Z',
              to: '2026-10-01T00:00:00Z',
            })}
          />
        ) : null}
        {matching.length > 0 ? <BacktestTable rows={matching} chosen={chosen} onChoose={setChosen} /> : null}
        {rows && rows.length > 0 && matching.length === 0 ? (
          <p className="table-note dim">{t('No run matches.')}</p>
        ) : null}
      </Panel>
    </div>
  );
}
