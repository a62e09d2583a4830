import { Link } from '@tanstack/react-router';
import { client, type Outputs, trpc } from '../../../../api/trpc.ts';
import { amount, usd } from '../../../../format/number.ts';
import { outcomeTitleOf } from '../../../../format/trading/order.ts';
import { priceAt } from '../../../../format/trading/venue.ts';
import { t } from '../../../../language/language.ts';
import { shortId } from '../../../../ui/copy.tsx';
import type { Column } from '../../../../ui/table/data-table.tsx';
import { PagedPanel } from '../../../../ui/table/paged-panel.tsx';
import { saveCsv } from '../../../../ui/table/save-csv.ts';
import { Time } from '../../../../ui/time.tsx';
import { SideWord } from '../../../orders/approval-queue.tsx';

type Fill = Outputs['console']['fills'][number];

const FIELDS = [
  'id',
  'at',
  'kind',
  'side',
  'venue',
  'tokenId',
  'title',
  'amount',
  'price',
  'fee',
  'orderId',
] as const satisfies readonly (keyof Fill)[];

/** Fills, settlements and write-offs, one by one. */
export const Fills = ({ id }: { id: string }) => (
  <PagedPanel<Fill>
    title={t('Fills')}
    name="fills"
    columns={columns()}
    sort={{ column: 'time', isDown: true }}
    nameOf={(fill) => `${fill.side} ${outcomeTitleOf(fill)}`}
    queryKey={[...trpc.console.fills.pathKey(), id]}
    read={({ sort, ...pageQuery }) =>
      client.console.fills.query({ ...pageQuery, id, isAscending: !sort.isDown })
    }
    rowsWords={(count) => t('{count, plural, one {# fill} other {# fills}}', { count })}
    save={(rows) => saveCsv('fills', FIELDS, rows)}
    empty={
      <div className="empty">
        <strong>{t('Nothing was filled yet')}</strong>
        <p>{t('Each execution of its orders is listed here, with its price and its fee.')}</p>
      </div>
    }
  />
);

const columns = (): readonly Column<Fill>[] => [
  { id: 'time', title: t('Time'), card: 'time', isSortable: true, cell: ({ at }) => <Time at={at} /> },
  { id: 'side', title: t('Side'), card: 'lead', cell: ({ side }) => <SideWord side={side} /> },
  { id: 'instrument', title: t('Instrument'), card: 'name', cell: outcomeTitleOf },
  { id: 'amount', title: t('Amount'), card: 'amount', isNumber: true, cell: (fill) => amount(fill.amount) },
  {
    id: 'price',
    title: t('Price'),
    card: 'price',
    isNumber: true,
    cell: ({ venue, price }) => priceAt(venue, price),
  },
  {
    id: 'worth',
    title: t('Market value'),
    card: 'state',
    isNumber: true,
    isLesser: true,
    cell: (fill) => usd(fill.amount * fill.price),
  },
  { id: 'fee', title: t('Fee'), isNumber: true, cell: ({ fee }) => usd(fee) },
  {
    id: 'order',
    title: t('Order'),
    card: ({ orderId }) => (orderId === null ? 'detail' : undefined),
    isLesser: true,
    cell: ({ orderId, kind }) =>
      orderId === null ? (
        kindWords(kind)
      ) : (
        <Link to="/orders" search={{ order: orderId }} className="mono">
          {shortId(orderId)}
        </Link>
      ),
  },
];

/** The reason of a booking without an order. */
function kindWords(kind: Fill['kind']): string {
  switch (kind) {
    case 'settlement':
      return t('Settled');
    case 'write_off':
      return t('Written off');
    case 'reversal':
      return t('Taken back');
    case 'adjustment':
      return t('Adjusted');
    case 'netting':
      return t('Netted');
    case 'trade':
      return '—';
  }
}
