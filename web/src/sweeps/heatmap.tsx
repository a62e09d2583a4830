import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Sweep } from '../api/row-types.ts';
import { type Outputs, SLOW_QUERY, trpc } from '../api/trpc.ts';
import type { Scalar } from '../editor/drawing/parameters.ts';
import { t } from '../language/language.ts';
import { Choice } from '../ui/fields/choice.tsx';
import { Panel, Skeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { type FigureFormat, type GridMetric, METRICS, OBJECTIVES, tintStyle } from './figures.ts';
import { objectiveOf } from './form-values.ts';
import { scalarWords } from './parameters.ts';
import { pollWhileUnderWay } from './use-sweep.ts';

type Grid = Outputs['console']['sweepGrid'];
type Cell = Grid['cells'][number];
type Of = 'best' | 'median';

type HeatmapProps = { sweep: Sweep; names: readonly string[]; onApply: (number: number) => void };

/** Two parameters as a table with tinted cells, so that it can be read and walked with the arrow keys. */
export function Heatmap({ sweep, names, onApply }: HeatmapProps) {
  const [axes, setAxes] = useState({ x: 0, y: 1 });
  const [metric, setMetric] = useState<GridMetric>('score');
  const [of, setOf] = useState<Of>('median');
  const grid = useQuery({
    ...trpc.console.sweepGrid.queryOptions({ id: sweep.id, ...axes, metric }, SLOW_QUERY),
    ...pollWhileUnderWay(sweep),
    placeholderData: keepPreviousData,
  });
  const { statistic } = objectiveOf(sweep);
  const written = metric === 'score' ? OBJECTIVES[statistic] : METRICS[metric];
  const [across, down] = [names[axes.x] ?? '', names[axes.y] ?? ''];
  const isDeep = names.length > 2;
  return (
    <Panel
      title={t('Heatmap of two parameters')}
      actions={
        <>
          {isDeep ? <AxisChoice names={names} axes={axes} onChange={setAxes} /> : null}
          <Choice
            label={t('What the map shows')}
            value={metric}
            onChange={(next) => setMetric(next as GridMetric)}
            options={[
              ['score', t(OBJECTIVES[statistic].title)],
              ...Object.entries(METRICS).flatMap(([name, { title }]): [string, string][] =>
                name === statistic ? [] : [[name, t(title)]],
              ),
            ]}
          />
          {isDeep ? (
            <Choice
              label={t('Of the trials of a cell')}
              value={of}
              onChange={(next) => setOf(next === 'best' ? 'best' : 'median')}
              options={[
                ['median', 'the middle one'],
                ['best', 'the best one'],
              ]}
            />
          ) : null}
        </>
      }
    >
      {grid.error && !grid.data ? (
        <ProblemNotice error={grid.error} retry={() => void grid.refetch()} />
      ) : null}
      {grid.data ? (
        grid.data.cells.length === 0 ? (
          <p className="plain dim">
            {metric === 'score'
              ? t('No trial has this figure, and trades enough, yet.')
              : t('No trial has this figure yet.')}
          </p>
        ) : (
          <Picture
            grid={grid.data}
            {...{ across, down, metric, written, of: isDeep ? of : 'best', onApply }}
          />
        )
      ) : grid.error ? null : (
        <Skeleton height={320} />
      )}
    </Panel>
  );
}

type PictureProps = {
  grid: Grid;
  across: string;
  down: string;
  metric: GridMetric;
  written: FigureFormat;
  of: Of;
  onApply: (number: number) => void;
};

function Picture({ grid: { x, y, cells }, across, down, metric, written, of, onApply }: PictureProps) {
  const table = useRef<HTMLTableElement>(null);
  const best = cells.reduce((most, cell) => (isBetter(metric, cell, most) ? cell : most));
  const [position, setPosition] = useState({ x: best.x, y: best.y });
  const id = useId();
  const values = cells.map((cell) => cell[of]);
  const at = (column: number, row: number) => cells.find((cell) => cell.x === column && cell.y === row);
  const go = (event: KeyboardEvent) => {
    const [right, below] = STEPS[event.key] ?? [0, 0];
    if (right === 0 && below === 0) return;
    event.preventDefault();
    const next = {
      x: Math.min(x.length - 1, Math.max(0, position.x + right)),
      y: Math.min(y.length - 1, Math.max(0, position.y + below)),
    };
    setPosition(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.x},${next.y}"]`)?.focus();
  };
  const chosen = at(position.x, position.y);
  return (
    <div className="stack tight">
      <p className="plain dim small" id={`${id}-axes`}>
        {t('{title}. Across: {across}; down: {down}.', { title: t(written.title), across, down })}{' '}
        {metric === 'maxDrawdown'
          ? t('The stronger the tint, the deeper the fall.')
          : values.some((value) => value < 0)
            ? t('The stronger the tint, the farther from zero.')
            : t('The stronger the tint, the higher the figure.')}
      </p>
      <div className="scroll">
        <table
          ref={table}
          className="heatmap"
          aria-label={t('{title} by {across} and {down}', { title: t(written.title), across, down })}
          aria-describedby={`${id}-axes`}
        >
          <thead>
            <tr>
              <td />
              {x.map((axisValue) => (
                <th key={axisValueWords(axisValue)} scope="col">
                  {axisValueWords(axisValue)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {y.map((axisValue, row) => (
              <tr key={axisValueWords(axisValue)}>
                <th scope="row">{axisValueWords(axisValue)}</th>
                {x.map((column, index) => {
                  const cell = at(index, row);
                  const isSelected = position.x === index && position.y === row;
                  return (
                    <td key={axisValueWords(column)}>
                      <button
                        type="button"
                        data-cell={`${index},${row}`}
                        tabIndex={isSelected ? 0 : -1}
                        aria-pressed={isSelected}
                        style={cell && tintStyle(cell[of], values, metric)}
                        onFocus={() => setPosition({ x: index, y: row })}
                        onClick={() => setPosition({ x: index, y: row })}
                        onKeyDown={go}
                      >
                        {cell ? written.write(cell[of]) : '·'}
                        {cell === best ? <Star size={10} aria-label={t('the best')} /> : null}
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row apart" role="status">
        <span>
          {across} <strong>{axisValueWords(x[position.x])}</strong>, {down}{' '}
          <strong>{axisValueWords(y[position.y])}</strong>:{' '}
          {chosen ? (
            <>
              {t(written.title)} {written.write(chosen[of])}
              {chosen.trials > 1
                ? of === 'best'
                  ? t(', the best of {trials, plural, one {# trial} other {# trials}}', {
                      trials: chosen.trials,
                    })
                  : t(', the middle of {trials, plural, one {# trial} other {# trials}}', {
                      trials: chosen.trials,
                    })
                : ''}
            </>
          ) : (
            t('no trial with this figure')
          )}
        </span>
        {chosen ? (
          <button type="button" className="chip large" onClick={() => onApply(chosen.bestNumber)}>
            {chosen.trials > 1 ? t('Apply its best as draft…') : t('Apply as draft…')}
          </button>
        ) : null}
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

const isBetter = (metric: GridMetric, one: Cell, other: Cell): boolean =>
  metric === 'maxDrawdown' ? one.best < other.best : one.best > other.best;

function axisValueWords(axisValue: { first: Scalar; last: Scalar } | undefined): string {
  if (!axisValue) return '—';
  const { first, last } = axisValue;
  return first === last
    ? scalarWords(first)
    : t('{first} to {last}', { first: scalarWords(first), last: scalarWords(last) });
}

type Axes = { x: number; y: number };
type AxisProps = { names: readonly string[]; axes: Axes; onChange: (axes: Axes) => void };

/** Choosing the parameter of the other axis swaps the two. */
const AxisChoice = ({ names, axes, onChange }: AxisProps) => {
  const options = names.map((name, index): [string, string] => [String(index), name]);
  return (
    <>
      <Choice
        label={t('Across')}
        value={String(axes.x)}
        options={options}
        onChange={(next) => onChange({ x: Number(next), y: Number(next) === axes.y ? axes.x : axes.y })}
      />
      <Choice
        label={t('Down')}
        value={String(axes.y)}
        options={options}
        onChange={(next) => onChange({ y: Number(next), x: Number(next) === axes.x ? axes.y : axes.x })}
      />
    </>
  );
};
