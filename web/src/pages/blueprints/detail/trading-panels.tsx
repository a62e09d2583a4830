import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Outputs, trpc } from '../../../api/trpc.ts';
import type { Range } from '../../../charts/equity.tsx';
import { leavingWords } from '../../../format/leaving.ts';
import { amount, shortToken, signedFineShare } from '../../../format/number.ts';
import { duration } from '../../../format/time.ts';
import { priceAt } from '../../../format/venue.ts';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { OrderStatusMark, Pnl } from '../../../ui/status.tsx';
import { Time } from '../../../ui/time.tsx';
import { TradesOnPrice, titleOf } from './trades-on-price.tsx';

type Trading = Outputs['console']['trading'];
type Instrument = Trading['instruments'][number];

const REFRESH_MS = 15_000;

/** Where it bought and sold, what each way in and out came to, and which step acted when. */
export function TradingPanels({ id, range }: { id: string; range: Range }) {
  const query = useQuery({ ...trpc.console.trading.queryOptions({ id }), refetchInterval: REFRESH_MS });
  if (query.error && !query.data) {
    return <ProblemNotice error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <RowSkeleton rows={4} height={70} />;
  const { instruments, trades, tradeCount, firings } = query.data;
  const nameOf = new Map(instruments.map((each) => [each.tokenId, each]));
  return (
    <>
      {instruments.length > 0 ? <TradesOnPrice id={id} instruments={instruments} range={range} /> : null}
      <Panel title={`Closed trades, ${amount(tradeCount)}`} flush>
        {trades.length === 0 ? (
          <div className="empty">
            <strong>No trade has ended</strong>
            <p>A trade stands here once all that was bought is sold or settled: entry, exit, result, why.</p>
          </div>
        ) : (
          <ClosedTrades trades={trades} nameOf={nameOf} />
        )}
        {tradeCount > trades.length ? (
          <p className="table-note dim small">The newest {amount(trades.length)} are listed.</p>
        ) : null}
      </Panel>
      <Firings firings={firings} />
    </>
  );
}

type TradesProps = { trades: Trading['trades']; nameOf: ReadonlyMap<string, Instrument> };

const ClosedTrades = ({ trades, nameOf }: TradesProps) => (
  <table className="rows cards">
    <thead>
      <tr>
        <th>Instrument</th>
        <th className="lesser">Entered</th>
        <th className="num">Entry</th>
        <th className="lesser">Left</th>
        <th className="num">Exit</th>
        <th className="num">Held</th>
        <th className="num">Result</th>
        <th className="num">Return</th>
        <th>Why it left</th>
      </tr>
    </thead>
    <tbody>
      {trades.map((trade) => {
        const { tokenId, openedAt, closedAt, entryPrice, exitPrice, pnl, bought, leaving } = trade;
        const of = nameOf.get(tokenId);
        const write = (price: number | null) => (of ? priceAt(of.venue, price) : amount(price));
        return (
          <tr key={`${tokenId} ${closedAt}`} tabIndex={0}>
            <td data-label="Instrument">{of ? titleOf(of) : shortToken(tokenId)}</td>
            <td data-label="Entered" className="lesser">
              <Time at={openedAt} />
            </td>
            <td data-label="Entry" className="num">
              {write(entryPrice)}
            </td>
            <td data-label="Left" className="lesser">
              <Time at={closedAt} />
            </td>
            <td data-label="Exit" className="num">
              {write(exitPrice)}
            </td>
            <td data-label="Held" className="num">
              {duration(Date.parse(closedAt) - Date.parse(openedAt))}
            </td>
            <td data-label="Result" className="num">
              <span>
                <Pnl value={pnl} />
              </span>
            </td>
            <td data-label="Return" className="num">
              {signedFineShare(bought === 0 ? null : pnl / bought)}
            </td>
            <td data-label="Why it left">{leavingWords(leaving)}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** Which step acted when, and what became of it; of one step, where one is chosen. */
function Firings({ firings }: { firings: Trading['firings'] }) {
  const [node, setNode] = useState('');
  const nodes = [...new Set(firings.map(({ nodeId }) => nodeId))];
  const shown = firings.filter(({ nodeId }) => node === '' || nodeId === node);
  return (
    <Panel
      title="Log of steps"
      flush
      actions={
        nodes.length > 1 ? (
          <select
            className="text-input choice-input"
            aria-label="Step"
            value={node}
            onChange={(event) => setNode(event.currentTarget.value)}
          >
            <option value="">Every step</option>
            {nodes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : null
      }
    >
      {shown.length === 0 ? (
        <div className="empty">
          <strong>No step has acted</strong>
          <p>Each time one of its steps wants to buy or sell, that is written down here.</p>
        </div>
      ) : (
        <table className="rows cards">
          <thead>
            <tr>
              <th>Time</th>
              <th>Step</th>
              <th>What it wanted</th>
              <th>What became of it</th>
              <th className="lesser">Reason</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ orderId, nodeId, at, side, amount: wanted, tokenId, title, status, reason }) => (
              <tr key={orderId} data-row={orderId} tabIndex={0}>
                <td data-label="Time">
                  <Time at={at} />
                </td>
                <td data-label="Step" className="mono">
                  {nodeId}
                </td>
                <td data-label="Wanted">
                  <Link to="/orders" search={{ order: orderId }}>
                    {side} {amount(wanted)} {titleOf({ tokenId, title })}
                  </Link>
                </td>
                <td data-label="Became">
                  <OrderStatusMark status={status} />
                </td>
                <td data-label="Reason" className="lesser text-cell dim small">
                  {reason ?? '—'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
