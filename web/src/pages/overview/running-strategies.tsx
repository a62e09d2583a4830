import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { Sparkline, upToNow } from '../../charts/sparkline.tsx';
import { NextAction } from '../../editor/lazy-next-action.tsx';
import { heldWords } from '../../format/trading/held.ts';
import { BY_HAND_ID } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { dotted } from '../../ui/dotted.ts';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { Pnl } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';

type Head = Outputs['console']['blueprints'][number];

const SPARKS_STALE_MS = 60_000;
const STRIPS_MAX = 6;

/** The running strategies, each in a line, and their total result. */
export function RunningStrategies() {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const account = useQuery(trpc.console.account.queryOptions({}));
  const sparks = useQuery({ ...trpc.console.sparks.queryOptions({}), staleTime: SPARKS_STALE_MS });
  const results = account.data?.strategies ?? [];
  const made = new Map(results.map((each) => [each.blueprintId, each]));
  const lines = new Map(sparks.data?.map(({ blueprintId, made: line }) => [blueprintId, line]));
  const held = heldWords(account.data?.positions);
  const running = blueprints.data?.filter(({ status }) => status === 'running') ?? [];
  const strips = running
    .toSorted((one, other) => sizeOf(made.get(other.id)) - sizeOf(made.get(one.id)))
    .slice(0, STRIPS_MAX);
  // In a fixed order, which the result does not change: it is the key of a query.
  const ids = strips.map(({ id }) => id).sort();
  const hasStrip = new Set(ids);
  const byHand = results.filter(({ blueprintId }) => blueprintId === BY_HAND_ID);
  const others = results.filter(
    ({ blueprintId }) => blueprintId !== BY_HAND_ID && !hasStrip.has(blueprintId),
  );
  return (
    <Panel
      title={`${t('Running strategies')}${running.length > 0 ? ` (${running.length})` : ''}`}
      actions={<Link to="/blueprints">{t('All strategies')}</Link>}
      flush
    >
      {blueprints.data && account.data ? (
        <ul className="strips">
          {strips.length === 0 ? <li className="strip dim">{t('No strategy is running')}</li> : null}
          {strips.map((head) => (
            <li key={head.id}>
              <Strip
                head={head}
                ids={ids}
                held={held.get(head.id)}
                result={made.get(head.id)}
                line={lines.get(head.id) ?? []}
              />
            </li>
          ))}
          <Rest
            name={t('{count, plural, one {# other strategy} other {# other strategies}}', {
              count: others.length,
            })}
            results={others}
          />
          <Rest name={t('By hand')} results={byHand} />
          {results.length > 0 ? (
            <li className="strip sum-line">
              <span>{t('All')}</span>
              <span className="sparkline" />
              <strong className="num" data-all-strategies>
                <Pnl value={sum(results)} />
              </strong>
            </li>
          ) : null}
        </ul>
      ) : (
        <RowSkeleton rows={3} height={44} />
      )}
    </Panel>
  );
}

type Result = Outputs['console']['account']['strategies'][number];

const sizeOf = (result: Result | undefined) => Math.abs(result?.totalPnl ?? 0);

type Results = readonly { totalPnl: number }[];
const sum = (of: Results) => of.reduce((total, { totalPnl }) => total + totalPnl, 0);

/** The results that have no line of their own, in one. */
const Rest = ({ name, results }: { name: string; results: Results }) =>
  results.length > 0 ? (
    <li className="strip dim">
      <span>{name}</span>
      <span className="sparkline" />
      <span className="num">
        <Pnl value={sum(results)} />
      </span>
    </li>
  ) : null;

type StripProps = {
  head: Head;
  ids: string[];
  /** The instruments it holds. */
  held: string | undefined;
  /** Absent before its first trade. */
  result: Result | undefined;
  line: readonly number[];
};

function Strip({ head: { id, name }, ids, held, result, line }: StripProps) {
  const pnl = result?.totalPnl;
  return (
    <Link to="/blueprints/$id" params={{ id }} className="strip">
      <span className="what">
        <strong className="clip">{name}</strong>
        <NextAction id={id} ids={ids} />
        {held || result ? (
          <span className="dim small clip">
            {dotted([
              held ?? null,
              result ? (
                <span key="fill">
                  {t('last fill')} <Age at={result.lastFillAt} />
                </span>
              ) : null,
            ])}
          </span>
        ) : null}
      </span>
      <Sparkline
        values={upToNow(line, pnl)}
        width={112}
        label={t('How {name} went in the last week', { name })}
      />
      <span className="num">
        <Pnl value={pnl} />
      </span>
    </Link>
  );
}
