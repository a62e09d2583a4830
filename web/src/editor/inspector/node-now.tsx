import { useContext } from 'react';
import { Sparkline } from '../../charts/sparkline.tsx';
import { nodeValueWords } from '../../format/node-value-words.ts';
import { amount } from '../../format/number.ts';
import { t, translateReason } from '../../language/language.ts';
import type { NodeState } from '../../live/events.ts';
import { Time } from '../../ui/time.tsx';
import { isNextBeat, LastAct, NodeValue } from '../canvas/last-act.tsx';
import { nodeBadgeOf } from '../canvas/node-badge.ts';
import { CatalogueContext } from '../context.ts';
import type { Node } from '../drawing/model.ts';
import { numbersOf, type RecentValue, recentOf } from '../recent-values.ts';
import { useEditor } from '../store.ts';

/** Earlier values, in a list; numbers have a line. */
const LISTED = 3;
/** Enough of a number that moves slowly. */
const DIGITS = 6;

type NodeNowProps = { node: Node; state: NodeState; isAction: boolean };

/** Shows a node now and before: its value, why, how far it is from changing, and its last values. */
export function NodeNow({ node: { id, type }, state, isAction }: NodeNowProps) {
  const catalogue = useContext(CatalogueContext);
  const statesAt = useEditor((editor) => editor.statesAt);
  const trail = useEditor((editor) => recentOf(editor.recent, id));
  const mark = nodeBadgeOf(state, [], statesAt);
  const Icon = mark?.icon;
  const numbers = numbersOf(trail);
  return (
    <section className="node-now" aria-label={t('Now')}>
      <div className="row apart">
        <strong className="value">
          {isAction ? null : (
            <NodeValue
              id={id}
              type={catalogue.types.get(type)}
              state={state}
              isPast={statesAt !== undefined}
            />
          )}
        </strong>
        {numbers.length > 2 ? (
          <Sparkline
            values={numbers}
            width={96}
            label={t('The last {count} values', { count: numbers.length })}
            isNeutral
          />
        ) : null}
        {mark && Icon ? (
          <span className={`status ${mark.tone}`}>
            <Icon size={14} aria-hidden />
            {mark.word}
          </span>
        ) : null}
      </div>
      {state.reason ? <p className="plain">{translateReason(state.reason.message)}</p> : null}
      {state.distance === undefined || isNextBeat(type, state) ? null : (
        <p className="plain dim small">
          {t('{distance} from switching', { distance: amount(Number(state.distance.toPrecision(DIGITS))) })}
        </p>
      )}
      {isAction ? <LastAct state={state} now={statesAt} /> : null}
      {numbers.length > 0 ? null : <Earlier values={trail.slice(0, -1)} />}
    </section>
  );
}

function Earlier({ values }: { values: readonly RecentValue[] }) {
  if (values.length === 0) return null;
  return (
    <ul className="plain dim small">
      {values
        .slice(-LISTED)
        .toReversed()
        .map(({ value, at }) => (
          <li key={at}>
            {nodeValueWords(value)} <Time at={new Date(at).toISOString()} />
          </li>
        ))}
    </ul>
  );
}
