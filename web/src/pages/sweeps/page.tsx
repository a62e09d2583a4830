import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { SweepTable } from '../../sweeps/table.tsx';
import { useSweeps } from '../../sweeps/use-sweep.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';

export function SweepsPage() {
  const { blueprint } = useSearch({ from: '/shell/sweeps' });
  const navigate = useNavigate();
  const list = useSweeps(blueprint);
  const rows = list.data;
  return (
    <div className="page">
      <PageHead title={t('Sweeps')}>
        <Button onClick={() => void navigate({ to: '/sweeps/new', search: blueprint ? { blueprint } : {} })}>
          {t('New sweep')}
        </Button>
      </PageHead>
      <Panel
        title={blueprint ? t('Sweeps of one strategy') : t('Runs')}
        flush
        actions={
          blueprint ? (
            <Link to="/sweeps" className="chip">
              {t('Show all')}
            </Link>
          ) : null
        }
      >
        <PendingRows query={list} rows={8} height={26} />
        {rows?.length === 0 ? (
          <EmptyState
            title={t('No sweeps yet')}
            why={t(
              'A sweep backtests a strategy with many values of its settings, and shows how much of the best result luck explains.',
            )}
            action={<Subjects />}
            command={curl('POST', '/api/sweeps', {
              blueprintId: '…',
              from: '2026-09-01T00:00:00Z',
              to: '2026-10-01T00:00:00Z',
              space: { dimensions: [{ pointer: '/nodes/1/data/config/period', from: 5, to: 15, step: 1 }] },
            })}
          />
        ) : null}
        {rows && rows.length > 0 ? <SweepTable rows={rows} /> : null}
      </Panel>
    </div>
  );
}

/** Strategies offered to start with; the form has all of them. */
const SUBJECTS_MAX = 4;

/** The newest strategies, each a link to a sweep of it. */
function Subjects() {
  const { data } = useQuery(trpc.console.blueprints.queryOptions({}));
  const newest = data?.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt)) ?? [];
  return (
    <div className="row wrap center">
      {newest.slice(0, SUBJECTS_MAX).map(({ id, name }) => (
        <Link key={id} to="/sweeps/new" search={{ blueprint: id }} className="chip">
          {t('Sweep “{name}”', { name })}
        </Link>
      ))}
    </div>
  );
}
