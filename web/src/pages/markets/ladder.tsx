import { amount, cents, midOf } from '../../format/number.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age } from '../../ui/time.tsx';
import { useMarketNow } from '../../ui/use-market-now.ts';
import { DepthCurve } from './depth.tsx';

const LEVELS = 8;

type Level = { price: number; size: number };
type Cumulated = Level & { total: number };

type LadderProps = {
  tokenId: string;
  label: string;
  /** The other outcome: its book is this one at one minus the price. */
  mirror: string | null;
  tickSize: number | null;
  /** The format of a price, if the venue's own is not enough. */
  inWords?: (price: number | null) => string;
};

/** The book with the best prices in the middle, sizes summed outwards. */
export function Ladder({ tokenId, label, mirror, tickSize, inWords }: LadderProps) {
  const { query, market, blocked } = useMarketNow(tokenId);
  const write =
    inWords ??
    ((price: number | null) =>
      market ? priceAt(market.venue, price, market.tickSize) : cents(price, tickSize));
  const writeMid = inWords ?? ((price: number) => (market ? priceAt(market.venue, price) : cents(price)));
  return (
    <Panel
      title={t('{label} book', { label })}
      actions={
        market ? (
          <span className="small dim">
            <Trans
              message="steps of {tickSize} · read {age}"
              values={{ tickSize: write(market.tickSize), age: <Age at={market.readAt} /> }}
            />
          </span>
        ) : null
      }
      flush
    >
      {query.error && !market ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {!market && !query.error ? <RowSkeleton rows={LEVELS} height={20} /> : null}
      {market ? <Book market={market} write={write} writeMid={writeMid} stale={blocked} /> : null}
      {mirror ? (
        <p className="dim small ladder-note">
          {t('One book has two sides: a bid at {write} here is an ask at {write2} of the other outcome.', {
            write: write(0.4),
            write2: write(0.6),
          })}
        </p>
      ) : null}
    </Panel>
  );
}

type Market = NonNullable<ReturnType<typeof useMarketNow>['market']>;

type BookProps = {
  market: Market;
  write: (price: number | null) => string;
  writeMid: (price: number) => string;
  stale: string | null;
};

function Book({ market, write, writeMid, stale }: BookProps) {
  const asks = cumulate(market.asks.slice(0, LEVELS));
  const bids = cumulate(market.bids.slice(0, LEVELS));
  const most = Math.max(asks.at(-1)?.total ?? 0, bids.at(-1)?.total ?? 0);
  const bid = bids[0]?.price ?? null;
  const ask = asks[0]?.price ?? null;
  const crossed = bid !== null && ask !== null && bid >= ask;
  return (
    <>
      {crossed ? (
        <div className="notice bad">
          {t('The book is crossed: bid {bid} is not below ask {ask}.', { bid: write(bid), ask: write(ask) })}
        </div>
      ) : null}
      {stale ? <div className="notice warn">{stale}</div> : null}
      <DepthCurve bids={market.bids} asks={market.asks} write={write} />
      <table className={stale ? 'rows ladder stale-data' : 'rows ladder'}>
        <thead>
          <tr>
            <th>{t('Side')}</th>
            <th className="num">{t('Price')}</th>
            <th className="num">{t('Size')}</th>
            <th className="num">{t('Total')}</th>
          </tr>
        </thead>
        <tbody>
          {asks.toReversed().map((level) => (
            <LevelRow key={`ask${level.price}`} side="ask" level={level} most={most} write={write} />
          ))}
          <tr className="spread">
            <td colSpan={4}>
              {t('spread {spread} · mid {mid}', {
                spread: write(bid !== null && ask !== null ? ask - bid : null),
                mid: bid === null || ask === null ? '—' : writeMid(midOf(bid, ask)),
              })}
            </td>
          </tr>
          {bids.map((level) => (
            <LevelRow key={`bid${level.price}`} side="bid" level={level} most={most} write={write} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function cumulate(levels: readonly Level[]): Cumulated[] {
  let total = 0;
  return levels.map((level) => {
    total += level.size;
    return { ...level, total };
  });
}

type RowProps = { side: 'bid' | 'ask'; level: Cumulated; most: number; write: (price: number) => string };

function LevelRow({ side, level, most, write }: RowProps) {
  const width = most > 0 ? (level.total / most) * 100 : 0;
  return (
    <tr className={side} style={{ backgroundSize: `${width}% 100%` }}>
      <td className="dim">{side === 'bid' ? t('bid') : t('ask')}</td>
      <td className="num">{write(level.price)}</td>
      <td className="num">{amount(level.size)}</td>
      <td className="num">{amount(Number(level.total.toPrecision(10)))}</td>
    </tr>
  );
}
