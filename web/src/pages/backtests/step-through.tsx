import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { Backtest } from '../../api/row-types.ts';
import { type Outputs, SLOW_QUERY, trpc } from '../../api/trpc.ts';
import { useBacktest } from '../../backtests/use-backtest.ts';
import { explainState } from '../../editor/canvas/node-badge.ts';
import { readGraph } from '../../editor/drawing/json.ts';
import { GraphEditor } from '../../editor/graph-editor.tsx';
import { loadGraph } from '../../editor/store.ts';
import { amount } from '../../format/number.ts';
import { dateTimeField, instantOf } from '../../format/research/backtest-form.ts';
import { tokenName } from '../../format/token-name.ts';
import { t } from '../../language/language.ts';
import { nodeStatesOf } from '../../live/events.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';
import { PageHead, Panel, RowSkeleton, Skeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';

const MINUTE_MS = 60_000;
const STEPS = [
  ['1 m', MINUTE_MS],
  ['5 m', 5 * MINUTE_MS],
  ['1 h', 60 * MINUTE_MS],
  ['1 d', 1_440 * MINUTE_MS],
] as const;

/** A run instant by instant: the value of each step of the graph, and the positions. */
export function StepThroughPage() {
  const { id } = useParams({ from: '/shell/backtests/$id/step' });
  const run = useBacktest(id);
  if (run.error && !run.data) {
    return <ProblemNotice error={run.error} retry={() => void run.refetch()} />;
  }
  return run.data ? <Stepped key={id} run={run.data} /> : <RowSkeleton rows={8} height={50} />;
}

/** The requested instant within the run; its end if none is requested. */
function instantWithin({ from, to }: Backtest, requested: string | undefined): number {
  const at = Date.parse(requested ?? to);
  const [first, last] = [Date.parse(from) + MINUTE_MS, Date.parse(to)];
  return Number.isNaN(at) ? last : Math.min(last, Math.max(first, at));
}

function Stepped({ run }: { run: Backtest }) {
  const { id, name, from, to } = run;
  const { at: requested } = useSearch({ from: '/shell/backtests/$id/step' });
  const navigate = useNavigate({ from: '/backtests/$id/step' });
  const atMs = instantWithin(run, requested);
  const at = new Date(atMs).toISOString();
  const go = (ms: number) =>
    void navigate({
      search: { at: new Date(instantWithin(run, new Date(ms).toISOString())).toISOString() },
      replace: true,
    });
  const stood = useQuery({
    ...trpc.console.backtestStep.queryOptions({ id, at }, SLOW_QUERY),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="page">
      <PageHead
        title={
          <>
            {name} <span className="dim">{t('step by step')}</span>
          </>
        }
      >
        <Link to="/backtests/$id" params={{ id }} className="chip large">
          {t('The whole run')}
        </Link>
      </PageHead>
      <Instant atMs={atMs} fromMs={Date.parse(from) + MINUTE_MS} toMs={Date.parse(to)} onGo={go} />
      {stood.error ? <ProblemNotice error={stood.error} retry={() => void stood.refetch()} /> : null}
      {stood.data ? (
        <Graph id={id} stood={stood.data} isOld={stood.isPlaceholderData} />
      ) : stood.error ? null : (
        <>
          <p className="plain dim" role="status">
            {t('The run is played up to this instant…')}
          </p>
          <Skeleton height={440} />
        </>
      )}
    </div>
  );
}

type InstantProps = { atMs: number; fromMs: number; toMs: number; onGo: (ms: number) => void };

/** The instant within the run: by a slider, by a field, or one step back or forward. */
function Instant({ atMs, fromMs, toMs, onGo }: InstantProps) {
  const id = useId();
  const [stepMs, setStep] = useState<number>(STEPS[2][1]);
  const [dragged, setDragged] = useState<number | null>(null);
  const settle = () => {
    if (dragged !== null) onGo(dragged);
    setDragged(null);
  };
  return (
    <Panel title={t('Instant')}>
      <div className="stack tight">
        <input
          type="range"
          className="slider"
          aria-label={t('Instant of the run')}
          aria-valuetext={new Date(dragged ?? atMs).toISOString()}
          min={fromMs}
          max={toMs}
          step={MINUTE_MS}
          value={dragged ?? atMs}
          onChange={(event) => setDragged(Number(event.currentTarget.value))}
          onPointerUp={settle}
          onKeyUp={settle}
          onBlur={settle}
        />
        <div className="row">
          <Button variant="default" aria-label={t('Previous evaluation')} onClick={() => onGo(atMs - stepMs)}>
            <ChevronLeft size={16} aria-hidden />
          </Button>
          <Choice
            label={t('Step size')}
            value={stepMs}
            options={STEPS.map(([title, ms]) => [ms, title])}
            onChange={(value) => setStep(Number(value))}
          />
          <Button variant="default" aria-label={t('Next evaluation')} onClick={() => onGo(atMs + stepMs)}>
            <ChevronRight size={16} aria-hidden />
          </Button>
          <label htmlFor={id} className="sr">
            {t('Instant, UTC')}
          </label>
          <DateField
            id={id}
            type="datetime-local"
            className="instant-input"
            value={dateTimeField(dragged ?? atMs)}
            onChange={(event) => {
              const chosen = instantOf(event.currentTarget.value);
              if (chosen) onGo(Date.parse(chosen));
            }}
          />
          <Time at={new Date(dragged ?? atMs).toISOString()} />
        </div>
      </div>
    </Panel>
  );
}

type Stood = Outputs['console']['backtestStep'];

function Graph({ id, stood, isOld }: { id: string; stood: Stood; isOld: boolean }) {
  const { visual, nodes, positions, openOrders } = stood;
  const graphText = JSON.stringify(visual);
  useEffect(() => loadGraph(readGraph(JSON.parse(graphText))), [graphText]);
  const states = nodeStatesOf(nodes);
  return (
    <div className={isOld ? 'stack stale-data' : 'stack'} aria-busy={isOld} data-stood={stood.at}>
      <GraphEditor
        id={id}
        error={null}
        nodeStates={nodes}
        watched={false}
        readOnly
        pastAt={stood.at}
        focus={undefined}
        save={nothingToSave}
      />
      <Panel title={t('At this instant')} flush>
        <table className="rows cards">
          <thead>
            <tr>
              <th>{t('Node')}</th>
              <th>{t('Says')}</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(states).map(([node, state]) => (
              <tr key={node}>
                <td data-label={t('Node')} className="mono">
                  {node}
                </td>
                <td data-label={t('Says')} data-node-value={node}>
                  {explainState(state, new Date(stood.at)).replaceAll('\n', ', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="table-note">
          {positions.length === 0
            ? t('Nothing is held')
            : t('Held: {positions}', {
                positions: positions
                  .map(({ tokenId, amount: held }) => `${amount(held)} ${tokenName(tokenId)}`)
                  .join(', '),
              })}
          {openOrders > 0
            ? t('; {openOrders, plural, one {# order} other {# orders}} open', { openOrders })
            : ''}
          .
        </p>
      </Panel>
    </div>
  );
}

const nothingToSave = async () => true;
