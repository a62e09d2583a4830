import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Position } from '../../../../api/row-types.ts';
import { trpc } from '../../../../api/trpc.ts';
import { t } from '../../../../language/language.ts';
import { Panel } from '../../../../ui/panel.tsx';
import { ColumnMenu } from '../../../../ui/table/column-menu.tsx';
import { columnsOf, PositionTable } from '../../../portfolio/positions.tsx';

const CloseDialog = lazy(async () => ({
  default: (await import('../../../portfolio/close-dialog.tsx')).CloseDialog,
}));

const TABLE = 'positions-of-blueprint';

/** The blueprint's open positions, as in the portfolio. */
export function OpenPositions({ id }: { id: string }) {
  const account = useQuery(trpc.console.account.queryOptions({}));
  const [closing, setClosing] = useState<Position | null>(null);
  const rows = account.data?.positions.filter(({ blueprintId }) => blueprintId === id) ?? [];
  if (rows.length === 0) return null;
  const columns = columnsOf(account.data?.equity, null);
  return (
    <Panel title={t('Open positions')} flush actions={<ColumnMenu name={TABLE} columns={columns} />}>
      <PositionTable name={TABLE} columns={columns} rows={rows} onClose={setClosing} />
      <Suspense fallback={null}>
        {closing ? <CloseDialog position={closing} onClose={() => setClosing(null)} /> : null}
      </Suspense>
    </Panel>
  );
}
