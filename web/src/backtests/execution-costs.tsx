import type { Backtest } from '../api/row-types.ts';
import { amount, signedUsd, usd } from '../format/number.ts';
import { msg, t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';

type Costs = NonNullable<NonNullable<Backtest['result']>['costs']>;

const KINDS = [
  ['fee', msg('Fees'), msg('What the venue charged.')],
  [
    'spread',
    msg('Spread'),
    msg('From the midpoint to the top of the book, or to the price of a resting order.'),
  ],
  ['slippage', msg('Slippage'), msg('Beyond the top of the book.')],
  ['delay', msg('Delay'), msg('The midpoint moved from the decision to the fill.')],
  ['unfilled', msg('Unfilled'), msg('The midpoint moved away from what was not filled.')],
] as const;

/** The costs of orders by kind, against the midpoint at their decision. */
export function ExecutionCostsPanel({ costs }: { costs: Costs }) {
  const { notional, measuredNotional, orders, unmeasured } = costs;
  const basisPoints = (kind: (typeof KINDS)[number][0]) => {
    const traded = kind === 'fee' ? notional : measuredNotional;
    return traded === 0 ? '—' : amount(Math.round((costs[kind] / traded) * 1e5) / 10);
  };
  return (
    <Panel title={t('Costs of orders')} flush>
      <table className="rows cards">
        <thead>
          <tr>
            <th>{t('Kind')}</th>
            <th className="num">{t('Cost')}</th>
            <th className="num">{t('Basis points')}</th>
            <th>{t('Meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map(([kind, title, meaning]) => (
            <tr key={kind}>
              <td data-label={t('Kind')}>{t(title)}</td>
              <td data-label={t('Cost')} className="num">
                {signedUsd(costs[kind])}
              </td>
              <td data-label={t('Basis points')} className="num">
                {basisPoints(kind)}
              </td>
              <td data-label={t('Meaning')} className="dim">
                {t(meaning)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="plain dim small">
        {t(
          'Against the midpoint at the decision of {orders} orders, {notional} traded. Below 0 it is a gain.',
          {
            orders: amount(orders),
            notional: usd(notional),
          },
        )}{' '}
        {unmeasured === 0
          ? ''
          : t(
              '{unmeasured} were decided or ended without a bid or an ask: not all of their costs are here.',
              {
                unmeasured: amount(unmeasured),
              },
            )}
      </p>
    </Panel>
  );
}
