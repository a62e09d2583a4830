import type { Sweep } from '../api/rows.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { amount, counted, share, signedFineShare } from '../format/number.ts';
import { Panel } from '../ui/panel.tsx';
import { Span } from '../ui/time.tsx';
import { OBJECTIVES } from './figures.ts';
import { scalarWords } from './parameters.ts';

type Walk = NonNullable<NonNullable<Sweep['result']>['walkForward']>;
type WalkProps = { id: string; walk: Walk; names: readonly string[] };

const HEIGHT = 220;

/** What was chosen on the past came to this on what followed. */
export function WalkForwardPanels({ id, walk, names }: WalkProps) {
  const { inSample, outOfSample, efficiency, curve, embargoDays, folds } = walk;
  if (folds.length === 0) {
    return (
      <Panel title="Walk forward">
        <p className="plain">
          No fold fits into the range: as far as the drawing looks back, {counted(embargoDays, 'day')} have to
          lie between what is chosen on and what judges it. Take a longer range, or shorter folds.
        </p>
      </Panel>
    );
  }
  const points = curve.map(({ at, factor }) => ({ at, value: factor - 1 }));
  const sharpeOf = ({ sharpe }: Walk['inSample']) =>
    sharpe.value === null ? '—' : OBJECTIVES.sharpe.write(sharpe.value);
  return (
    <>
      <Panel title="Walk forward">
        <div className="stack">
          <dl className="facts">
            <dt>Out of sample</dt>
            <dd>
              {signedFineShare(outOfSample.totalReturn)} in {counted(outOfSample.days, 'day')}, Sharpe{' '}
              {sharpeOf(outOfSample)}
            </dd>
            <dt>In sample</dt>
            <dd>
              {signedFineShare(inSample.totalReturn)} in {counted(inSample.days, 'day')}, Sharpe{' '}
              {sharpeOf(inSample)}
            </dd>
            <dt>Kept of it, a year</dt>
            <dd>{efficiency.value === null ? 'nothing was earned in sample' : share(efficiency.value)}</dd>
            <dt>Apart</dt>
            <dd>{counted(embargoDays, 'day')} between what was chosen on and what judged it</dd>
          </dl>
          <div style={{ minHeight: HEIGHT }}>
            <LazyChart
              label="Return out of sample"
              summary={`Out of sample, ${counted(folds.length, 'fold')} one after the other came to ${signedFineShare(outOfSample.totalReturn)}.`}
              height={HEIGHT}
              revision={`${id} ${points.length}`}
              layers={[{ kind: 'baseline', points, baseline: 0, write: signedFineShare }]}
            />
          </div>
        </div>
      </Panel>
      <Panel title="Folds" flush>
        <table className="rows cards" aria-label="Folds">
          <thead>
            <tr>
              <th>Chosen on</th>
              {names.map((name) => (
                <th key={name} className="num">
                  {name}
                </th>
              ))}
              <th className="num">Return then</th>
              <th>Judged on</th>
              <th className="num">Return then</th>
              <th className="num">Trades</th>
            </tr>
          </thead>
          <tbody>
            {folds.map(({ train, test, values, inSample: before, outOfSample: after, isHeldTooLong }) => (
              <tr key={test.from} tabIndex={0}>
                <td data-label="Chosen on" className="small">
                  <Span from={train.from} to={train.to} />
                  {isHeldTooLong ? (
                    <span className="warn block">held for longer than the two are apart</span>
                  ) : null}
                </td>
                {names.map((name, place) => (
                  <td key={name} data-label={name} className="num">
                    {values?.[place] === undefined ? '—' : scalarWords(values[place])}
                  </td>
                ))}
                <td data-label="Return in sample" className="num">
                  {signedFineShare(before?.totalReturn.value)}
                </td>
                <td data-label="Judged on" className="small">
                  <Span from={test.from} to={test.to} />
                </td>
                <td data-label="Return out of sample" className="num">
                  {values === null ? 'nothing was traded' : signedFineShare(after?.totalReturn.value)}
                </td>
                <td data-label="Trades" className="num">
                  {amount(after?.closed)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  );
}
