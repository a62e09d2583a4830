import { useState } from 'react';
import { client, type Outputs, trpc } from '../../../../api/trpc.ts';
import { amount, signedFineShare } from '../../../../format/number.ts';
import { duration } from '../../../../format/time.ts';
import { outcomeTitleOf } from '../../../../format/trading/order.ts';
import { positionEndWords } from '../../../../format/trading/position-end-words.ts';
import { priceAt } from '../../../../format/trading/venue.ts';
import { t } from '../../../../language/language.ts';
import { Pnl } from '../../../../ui/status.tsx';
import type { Column } from '../../../../ui/table/data-table.tsx';
import { PagedPanel } from '../../../../ui/table/paged-panel.tsx';
import { saveCsv } from '../../../../ui/table/save-csv.ts';
import { Time } from '../../../../ui/time.tsx';

type Trade = Outputs['console']['closedTrades']['rows'][number];

const SORTS = ['left', 'entered', 'held', 'result', 'return'] as const;

const FIELDS = [
  'tokenId',
  'title',
  'venue',
  'openedAt',
  'entryPrice',
  'closedAt',
  'exitPrice',
  'bought',
  'fees',
  'pnl',
  'why',
] as const;

/** The result of each closed trade. */
export function ClosedTrades({ id }: { id: string }) {
  const [count, setCount] = useState<number | null>(null);
  return (
    <PagedPanel<Trade>
      title={count === null ? t('Closed trades') : t('Closed trades, {count}', { count: amount(count) })}
      name="closed-trades"
      columns={columns()}
      sort={{ column: 'left', isDown: true }}
      nameOf={outcomeTitleOf}
      queryKey={[...trpc.console.closedTrades.pathKey(), id]}
      read={async ({ sort: { column, isDown }, ...pageQuery }) => {
        const sort = SORTS.find((each) => each === column) ?? 'left';
        const page = await client.console.closedTrades.query({
          ...pageQuery,
          id,
          sort,
          isAscending: !isDown,
        });
        setCount(page.count);
        return page.rows;
      }}
      rowsWords={(count) => t('{count, plural, one {# trade} other {# trades}}', { count })}
      save={(rows) =>
        saveCsv(
          'closed-trades',
          FIELDS,
          rows.map((row) => ({ ...row, why: positionEndWords(row.leaving) })),
        )
      }
      empty={
        <div className="empty">
          <strong>{t('No closed trades yet')}</strong>
          <p>{t('A trade appears here when its position is closed: entry, exit, P&L, reason.')}</p>
        </div>
      }
    />
  );
}

const columns = (): readonly Column<Trade>[] => [
  { id: 'instrument', title: t('Instrument'), card: 'name', cell: outcomeTitleOf },
  {
    id: 'entered',
    title: t('Entered'),
    isSortable: true,
    isLesser: true,
    cell: ({ openedAt }) => <Time at={openedAt} />,
  },
  {
    id: 'entry',
    title: t('Entry'),
    isNumber: true,
    cell: ({ venue, entryPrice }) => priceAt(venue, entryPrice),
  },
  {
    id: 'left',
    title: t('Left'),
    card: 'time',
    isSortable: true,
    isLesser: true,
    cell: ({ closedAt }) => <Time at={closedAt} />,
  },
  { id: 'exit', title: t('Exit'), isNumber: true, cell: ({ venue, exitPrice }) => priceAt(venue, exitPrice) },
  {
    id: 'held',
    title: t('Holding period'),
    isNumber: true,
    isSortable: true,
    cell: ({ openedAt, closedAt }) => duration(Date.parse(closedAt) - Date.parse(openedAt)),
  },
  {
    id: 'result',
    title: t('Result'),
    card: 'price',
    isNumber: true,
    isSortable: true,
    cell: ({ pnl }) => <Pnl value={pnl} />,
  },
  {
    id: 'return',
    title: t('Return'),
    card: 'detail',
    isNumber: true,
    isSortable: true,
    cell: ({ pnl, bought }) => signedFineShare(bought === 0 ? null : pnl / bought),
  },
  { id: 'why', title: t('Exit reason'), card: 'state', cell: ({ leaving }) => positionEndWords(leaving) },
];
