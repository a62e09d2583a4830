import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { BacktestTrade } from '../api/row-types.ts';
import { trpc } from '../api/trpc.ts';
import { amount, signedFineShare, usd } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { tokenName } from '../format/token-name.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { Pnl } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { VirtualTable } from '../ui/virtual-table.tsx';

const PAGE = 200;
const VISIBLE = 14;

/** Every closed trade, however many: pages of them load while scrolling. */
export function TradeTable({ id, count }: { id: string; count: number }) {
  const [visibleRows, setVisibleRows] = useState({ first: 0, last: 0 });
  const onRowsRendered = useCallback((first: number, last: number) => setVisibleRows({ first, last }), []);
  const firstPage = Math.floor(visibleRows.first / PAGE);
  const wanted = Array.from(
    { length: Math.floor(visibleRows.last / PAGE) - firstPage + 1 },
    (_, at) => firstPage + at,
  );
  const pages = useQueries({
    queries: wanted.map((page) => ({
      ...trpc.console.backtestTrades.queryOptions({ id, from: page * PAGE, limit: PAGE }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const tradeAt = (index: number): BacktestTrade | undefined =>
    pages[Math.floor(index / PAGE) - firstPage]?.data?.[index % PAGE];
  return (
    <VirtualTable
      label={t('Trades')}
      count={count}
      visible={VISIBLE}
      head={<Head />}
      onRowsRendered={onRowsRendered}
      row={(index) => <Cells index={index} trade={tradeAt(index)} runId={id} />}
    />
  );
}

const Head = () => (
  <tr>
    <th className="num">#</th>
    <th>{t('Opened')}</th>
    <th className="lesser">{t('Instrument')}</th>
    <th className="num">{t('Bought')}</th>
    <th className="num lesser">{t('Fees')}</th>
    <th className="num">{t('Result')}</th>
    <th className="num">{t('Return')}</th>
    <th className="num lesser">{t('Holding period')}</th>
    <th className="num">
      <span className="sr">{t('Node')}</span>
    </th>
  </tr>
);

type CellsProps = { index: number; trade: BacktestTrade | undefined; runId: string };

function Cells({ index, trade, runId }: CellsProps) {
  if (!trade) {
    return (
      <>
        <td className="num dim">{amount(index + 1)}</td>
        <td colSpan={8} className="dim">
          …
        </td>
      </>
    );
  }
  const { openedAt, closedAt, holding, bought, fees, pnl } = trade;
  return (
    <>
      <td className="num dim">{amount(index + 1)}</td>
      <td>
        <Time at={openedAt} />
      </td>
      <td className="lesser">
        <span className="mono" title={holding}>
          {tokenName(holding)}
        </span>
      </td>
      <td className="num">{usd(bought)}</td>
      <td className="num lesser">{usd(fees)}</td>
      <td className="num">
        <Pnl value={pnl} />
      </td>
      <td className="num">{signedFineShare(bought === 0 ? null : pnl / bought)}</td>
      <td className="num lesser">{duration(Date.parse(closedAt) - Date.parse(openedAt))}</td>
      <td className="num">
        <Link to="/backtests/$id/step" params={{ id: runId }} search={{ at: openedAt }} className="chip">
          <Trans
            message="Step<span> to trade {index}</span>"
            values={{ index: index + 1 }}
            tags={{ span: <span className="sr" /> }}
          />
        </Link>
      </td>
    </>
  );
}
