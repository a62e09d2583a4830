import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { amount, usd } from '../../format/number.ts';
import { marketValueOf } from '../../format/trading/exposure.ts';
import { outcomeTitleOf } from '../../format/trading/order.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pnl } from '../../ui/status.tsx';

/** The portfolio has all of them. */
const LISTED = 5;

/** The largest positions: what is held, its value at the mark, and its result since it was bought. */
export function OpenPositions() {
  const { data } = useQuery(trpc.console.account.queryOptions({}));
  const open = data?.positions.filter(({ isDust }) => !isDust) ?? [];
  if (open.length === 0) return null;
  const largest = open
    .toSorted((one, other) => (marketValueOf(other) ?? 0) - (marketValueOf(one) ?? 0))
    .slice(0, LISTED);
  return (
    <Panel
      title={`${t('Open positions')} (${open.length})`}
      actions={<Link to="/portfolio">{t('All positions')}</Link>}
      flush
    >
      <ul className="strips">
        {largest.map((held) => (
          <li key={`${held.blueprintId} ${held.tokenId}`} className="strip">
            <span className="what">
              <strong className="clip">{outcomeTitleOf(held)}</strong>
              <span className="dim small">
                {t('{amount}, bought at {price}', {
                  amount: amount(held.amount),
                  price: priceAt(held.venue, held.averageCost),
                })}
              </span>
            </span>
            <span className="num">{usd(marketValueOf(held))}</span>
            <span className="num">
              <Pnl value={held.unrealizedPnl} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
