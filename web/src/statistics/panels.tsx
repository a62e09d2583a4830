import {
  type Figure,
  listedDrawdowns,
  returnFigures,
  riskFigures,
  type Statistics,
  tradeFigures,
} from '../format/research/statistics.ts';
import { t } from '../language/language.ts';
import { onDemand } from '../ui/help/on-demand.tsx';
import { Panel } from '../ui/panel.tsx';
import { DrawdownTable } from './drawdowns.tsx';
import { Figures } from './figures.tsx';
import { MonthlyTable } from './monthly.tsx';
import { RollingSharpePanel } from './rolling-sharpe.tsx';

/** Few strategies hold contracts until they settle. */
const CalibrationTable = onDemand<Pick<Statistics, 'calibration'>>(
  async () => (await import('./calibration.tsx')).CalibrationTable,
);

/** All figures of a span, and its two tables. */
export function StatisticsPanels({ of, tails = [] }: { of: Statistics; tails?: readonly Figure[] }) {
  return (
    <>
      <Panel title={t('Statistics')}>
        <div className="stack wide">
          <Figures title={t('Return')} figures={returnFigures(of)} />
          <Figures title={t('Risk')} figures={[...riskFigures(of), ...tails]} />
          <Figures title={t('Trades')} figures={tradeFigures(of)} />
        </div>
      </Panel>
      <Panel title={t('Monthly returns')} flush={of.monthly.length > 0}>
        <MonthlyTable monthly={of.monthly} />
      </Panel>
      {of.rollingSharpe ? <RollingSharpePanel values={of.rollingSharpe} /> : null}
      <Panel title={t('Worst drawdowns')} flush={listedDrawdowns(of).length > 0}>
        <DrawdownTable drawdowns={of.drawdowns} to={of.to} />
      </Panel>
      {of.calibration.bins.some(({ count }) => count > 0) ? (
        <CalibrationTable calibration={of.calibration} />
      ) : null}
    </>
  );
}
