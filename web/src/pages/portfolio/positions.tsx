import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Position } from '../../api/row-types.ts';
import { amount, share, shortToken, usd } from '../../format/number.ts';
import { marketValueOf } from '../../format/trading/exposure.ts';
import { BY_HAND_ID, outcomeOf } from '../../format/trading/order.ts';
import { isCoinVenue, priceAt, venueTitle } from '../../format/trading/venue.ts';
import { Mark } from '../../instruments/mark.tsx';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Meter, Pnl } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Age } from '../../ui/time.tsx';

/** `equity`: what a weight is a part of. `names`: of blueprints, by id; null if all rows are of one. */
export function columnsOf(
  equity: number | undefined,
  names: ReadonlyMap<string, string> | null,
): readonly Column<Position>[] {
  const ofBlueprint: readonly Column<Position>[] =
    names === null
      ? []
      : [
          {
            id: 'blueprint',
            title: t('Strategy'),
            sortBy: ({ blueprintId }) =>
              blueprintId === BY_HAND_ID ? t('By hand') : (names.get(blueprintId) ?? null),
            cell: ({ blueprintId }) =>
              blueprintId === BY_HAND_ID ? (
                t('By hand')
              ) : (
                <Link to="/blueprints/$id" params={{ id: blueprintId }}>
                  {names.get(blueprintId) ?? t('deleted')}
                </Link>
              ),
          },
        ];
  return [
    {
      id: 'instrument',
      title: t('Instrument'),
      card: 'name',
      sortBy: ({ title }) => title,
      cell: ({ tokenId, title, venue, isDust }) => (
        <span>
          <Mark name={title} />
          {outcomeOf(tokenId)} {title}{' '}
          <span className="id" title={tokenId}>
            {isCoinVenue(venue) ? null : <span className="token-id">{shortToken(tokenId)}</span>}
            <CopyButton text={tokenId} label={t('Copy instrument {tokenId}', { tokenId })} />
          </span>
          {isDust ? <span className="chip small">{t('dust')}</span> : null}
        </span>
      ),
    },
    {
      id: 'venue',
      title: t('Venue'),
      isLesser: true,
      sortBy: ({ venue }) => venueTitle(venue),
      cell: ({ venue }) => venueTitle(venue),
      cellProps: () => ({ className: 'dim' }),
    },
    {
      id: 'held',
      title: t('Quantity'),
      card: 'amount',
      isNumber: true,
      cell: (row) => (
        <>
          {amount(row.amount)}
          {row.amountClosing > 0 ? (
            <div className="dim small">{t('{amount} closing', { amount: amount(row.amountClosing) })}</div>
          ) : null}
        </>
      ),
    },
    {
      id: 'cost',
      title: t('Average cost'),
      isNumber: true,
      cell: ({ venue, averageCost }) => priceAt(venue, averageCost),
    },
    {
      id: 'mark',
      title: t('Mark'),
      isNumber: true,
      cell: ({ venue, markPrice }) => priceAt(venue, markPrice),
      cellProps: () => ({ title: t('Best bid') }),
    },
    {
      id: 'worth',
      title: t('Market value'),
      card: 'price',
      isNumber: true,
      sortBy: marketValueOf,
      cell: (row) => usd(marketValueOf(row)),
    },
    {
      id: 'share',
      title: t('Weight'),
      isNumber: true,
      isLesser: true,
      sortBy: marketValueOf,
      cell: (row) => <Weight worth={marketValueOf(row)} equity={equity} />,
      cellProps: () => ({ title: t('of equity') }),
    },
    {
      id: 'unrealized',
      title: t('Unrealized'),
      card: 'state',
      isNumber: true,
      sortBy: ({ unrealizedPnl }) => unrealizedPnl,
      cell: ({ unrealizedPnl }) => <Pnl value={unrealizedPnl} />,
    },
    {
      id: 'realized',
      title: t('Realized'),
      isNumber: true,
      sortBy: ({ realizedPnl }) => realizedPnl,
      cell: ({ realizedPnl }) => <Pnl value={realizedPnl} />,
    },
    ...ofBlueprint,
    {
      id: 'since',
      title: t('Since'),
      card: 'time',
      isLesser: true,
      sortBy: ({ openedAt }) => openedAt,
      cell: ({ openedAt }) => <Age at={openedAt} />,
    },
  ];
}

/** A part of the equity, as in the bar above the positions: one word has one number. Unknown without a mark. */
const Weight = ({ worth, equity = 0 }: { worth: number | null; equity: number | undefined }) => (
  <span className="nowrap">
    {share(worth === null ? null : worth / equity)}{' '}
    <span className="share-bar">
      <Meter isLimit={false} used={worth} limit={equity} label={t('of equity')} />
    </span>
  </span>
);

/** All positions in one line: their present value and their result. */
export function PositionSums({ rows }: { rows: readonly Position[] }) {
  const sum = (of: (row: Position) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  return (
    <p className="table-note dim small figures">
      <Trans
        message="{count} positions, worth {worth} · unrealized {unrealized} · realized {realized}"
        values={{
          count: amount(rows.length),
          worth: usd(sum(marketValueOf)),
          unrealized: <Pnl value={sum(({ unrealizedPnl }) => unrealizedPnl)} />,
          realized: <Pnl value={sum(({ realizedPnl }) => realizedPnl)} />,
        }}
      />
    </p>
  );
}

type PositionTableProps = {
  name: string;
  columns: readonly Column<Position>[];
  rows: readonly Position[];
  onClose: (row: Position) => void;
};

export function PositionTable({ name, columns, rows, onClose }: PositionTableProps) {
  return (
    <SortedTable
      name={name}
      columns={columns}
      rows={rows.map((row) => ({ ...row, id: `${row.tokenId} ${row.blueprintId}` }))}
      nameOf={({ title }) => title}
      copyOf={({ tokenId }) => tokenId}
      rowProps={() => ({ tabIndex: 0 })}
      actions={(row) => (
        <Button variant="default" onClick={() => onClose(row)}>
          {t('Close…')}
        </Button>
      )}
    />
  );
}
