import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { amount } from '../../format/number.ts';
import { t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { Time } from '../../ui/time.tsx';

const LIMIT = 20;
const READ_MS = 5_000;

/** The newest trades of a coin, read while they are shown. */
export function RecentTrades({ symbol, write }: { symbol: string; write: (price: number) => string }) {
  const [isShown, setShown] = useState(false);
  const query = useQuery({
    ...trpc.marketData.crypto.queryOptions({ symbol, type: 'trades', limit: LIMIT }),
    enabled: isShown,
    refetchInterval: READ_MS,
  });
  const trades = query.data?.kind === 'trades' ? query.data.trades : undefined;
  return (
    <Panel
      title={t('Recent trades')}
      flush
      actions={
        <Button variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t('Hide') : t('Show')}
        </Button>
      }
    >
      {isShown ? <PendingRows query={query} rows={5} height={30} /> : null}
      {isShown && trades ? (
        <table className="rows">
          <thead>
            <tr>
              <th>{t('Time')}</th>
              <th>{t('Side')}</th>
              <th className="num">{t('Price')}</th>
              <th className="num">{t('Amount')}</th>
            </tr>
          </thead>
          <tbody>
            {trades.toReversed().map(({ id, t: at, side, price, qty }) => (
              <tr key={id}>
                <td>
                  <Time at={at} />
                </td>
                <td>{side === 'buy' ? t('Buy') : t('Sell')}</td>
                <td className="num">{write(price)}</td>
                <td className="num">{amount(qty)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </Panel>
  );
}
