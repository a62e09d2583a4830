import { returnFigures, riskFigures, type Statistics, tradeFigures } from '../format/statistics.ts';
import { Panel } from '../ui/panel.tsx';
import { CalibrationTable } from './calibration.tsx';
import { DrawdownTable } from './drawdowns.tsx';
import { Figures } from './figures.tsx';
import { MonthlyTable } from './monthly.tsx';

/** All figures of a span, and the two tables of it. */
export function StatisticsPanels({ of }: { of: Statistics }) {
  return (
    <>
      <Panel title="Statistics">
        <div className="stack wide">
          <Figures title="Return" figures={returnFigures(of)} />
          <Figures title="Risk" figures={riskFigures(of)} />
          <Figures title="Trades" figures={tradeFigures(of)} />
        </div>
      </Panel>
      <Panel title="Monthly returns" flush={of.monthly.length > 0}>
        <MonthlyTable monthly={of.monthly} />
      </Panel>
      <Panel title="Worst drawdowns" flush={of.drawdowns.length > 0}>
        <DrawdownTable drawdowns={of.drawdowns} to={of.to} />
      </Panel>
      <CalibrationTable calibration={of.calibration} />
    </>
  );
}
