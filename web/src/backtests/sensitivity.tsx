import type { Backtest } from '../api/row-types.ts';
import { amount } from '../format/number.ts';
import { type Message, msg, t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { Pnl } from '../ui/status.tsx';

type Row = NonNullable<NonNullable<Backtest['result']>['sensitivity']>[number];

const CHANGES: Readonly<Record<Row['change'], Message>> = {
  no_fees: msg('Without fees'),
  no_spread: msg('Without a spread where none was recorded'),
  no_latency: msg('Without latency'),
  one_more_tick: msg('One tick more of slippage'),
  any_amount: msg('Any amount at the price shown'),
  half_volume: msg('Half the volume to trade, as for orders twice as large'),
  tenth_of_volume: msg('A tenth of the volume, as for orders ten times as large'),
  other_path: msg('Another random path inside bars'),
};

/** By how much the result depends on each assumption. */
export const SensitivityPanel = ({ rows, netProfit }: { rows: readonly Row[]; netProfit: number }) => (
  <Panel title={t('What each assumption is worth')} flush>
    <table className="rows cards">
      <thead>
        <tr>
          <th>{t('Assumption')}</th>
          <th className="num">{t('Difference')}</th>
          <th className="num">{t('Net profit')}</th>
          <th className="num">{t('Trades')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ change, difference, trades }) => (
          <tr key={change}>
            <td data-label={t('Assumption')}>{t(CHANGES[change])}</td>
            <td data-label={t('Difference')} className="num">
              <Pnl value={difference} />
            </td>
            <td data-label={t('Net profit')} className="num">
              <Pnl value={netProfit + difference} />
            </td>
            <td data-label={t('Trades')} className="num">
              {amount(trades)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
