import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Position } from '../../api/row-types.ts';
import { amount, share, shortToken, usd } from '../../format/number.ts';
import { BY_HAND_ID, outcomeOf } from '../../format/trading/order.ts';
import { priceAt, venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Meter, Pnl } from '../../ui/status.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type Sort, sorted } from '../../ui/table/sort.ts';
import { Age } from '../../ui/time.tsx';

/** The value at the mark; the cost while there is no mark. */
const worthOf = ({ amount: held, markPrice, averageCost }: Position) => held * (markPrice ?? averageCost);

/** `names`: of blueprints, by id; null if all rows are of one. */
export function columnsOf(
  rows: readonly Position[],
  names: ReadonlyMap<string, string> | null,
): readonly Column<Position>[] {
  const total = rows.reduce((sum, row) => sum + worthOf(row), 0);
  const ofBlueprint: readonly Column<Position>[] =
    names === null
      ? []
      : [
          {
            id: 'blueprint',
            title: t('Strategy'),
            isSortable: true,
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
      isSortable: true,
      cell: ({ tokenId, title }) => (
        <span>
          {outcomeOf(tokenId)} {title}{' '}
          <span className="id" title={tokenId}>
            {shortToken(tokenId)}
            <CopyButton text={tokenId} label={t('Copy instrument {tokenId}', { tokenId })} />
          </span>
        </span>
      ),
    },
    {
      id: 'venue',
      title: t('Venue'),
      isLesser: true,
      isSortable: true,
      cell: ({ venue }) => venueTitle(venue),
      cellProps: () => ({ className: 'dim' }),
    },
    {
      id: 'held',
      title: t('Quantity'),
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
      isNumber: true,
      isSortable: true,
      cell: (row) => usd(row.markPrice === null ? null : worthOf(row)),
    },
    {
      id: 'share',
      title: t('Share'),
      isNumber: true,
      isLesser: true,
      isSortable: true,
      cell: (row) => (
        <span className="nowrap">
          {share(worthOf(row) / total)}{' '}
          <span className="share-bar">
            <Meter
              isLimit={false}
              used={worthOf(row)}
              limit={total}
              label={t('{share} of all positions', { share: share(worthOf(row) / total) })}
            />
          </span>
        </span>
      ),
    },
    {
      id: 'unrealized',
      title: t('Unrealized'),
      isNumber: true,
      isSortable: true,
      cell: ({ unrealizedPnl }) => <Pnl value={unrealizedPnl} />,
    },
    {
      id: 'realized',
      title: t('Realized'),
      isNumber: true,
      isSortable: true,
      cell: ({ realizedPnl }) => <Pnl value={realizedPnl} />,
    },
    ...ofBlueprint,
    {
      id: 'since',
      title: t('Since'),
      isLesser: true,
      isSortable: true,
      cell: ({ openedAt }) => <Age at={openedAt} />,
    },
  ];
}

const sortValue =
  (column: string, names: ReadonlyMap<string, string>) =>
  (row: Position): string | number | null => {
    switch (column) {
      case 'instrument':
        return row.title;
      case 'venue':
        return venueTitle(row.venue);
      case 'worth':
      case 'share':
        return worthOf(row);
      case 'unrealized':
        return row.unrealizedPnl;
      case 'realized':
        return row.realizedPnl;
      case 'blueprint':
        return row.blueprintId === BY_HAND_ID ? t('By hand') : (names.get(row.blueprintId) ?? null);
      default:
        return row.openedAt;
    }
  };

/** All positions in one line: their present value and their result. */
export function PositionSums({ rows }: { rows: readonly Position[] }) {
  const sum = (of: (row: Position) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  return (
    <p className="table-note dim small figures">
      <Trans
        message="{count} positions, worth {worth} · unrealized {unrealized} · realized {realized}"
        values={{
          count: amount(rows.length),
          worth: usd(sum(worthOf)),
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
  names?: ReadonlyMap<string, string>;
  onClose: (row: Position) => void;
};

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function PositionTable({ name, columns, rows, names = NO_NAMES, onClose }: PositionTableProps) {
  // As received, until a column is pressed.
  const [sort, setSort] = useState<Sort>({ column: '', isDown: true });
  const sortedRows = sort.column === '' ? rows : sorted(rows, sortValue(sort.column, names), sort);
  return (
    <DataTable
      name={name}
      columns={columns}
      rows={sortedRows.map((row) => ({ ...row, id: `${row.tokenId} ${row.blueprintId}` }))}
      nameOf={({ title }) => title}
      copyOf={({ tokenId }) => tokenId}
      sort={sort}
      onSort={setSort}
      rowProps={() => ({ tabIndex: 0 })}
      actions={(row) => (
        <Button variant="default" onClick={() => onClose(row)}>
          {t('Close…')}
        </Button>
      )}
    />
  );
}
