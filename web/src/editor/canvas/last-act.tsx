import { nodeValueWords } from '../../format/node-value-words.ts';
import { relativeTime } from '../../format/time.ts';
import { t } from '../../language/language.ts';
import type { NodeState } from '../../live/events.ts';
import { useNow } from '../../ui/time.tsx';
import type { NodeType } from '../drawing/model.ts';
import { useEditor } from '../store.ts';
import { actionWords } from './action-words.ts';

/** Describes a node in the words of a trader; null for one that does not act. */
export const useActionWords = (id: string, type: NodeType | undefined): string | null =>
  useEditor(({ nodes, edges, states }) => {
    const acting = type?.group === 'action' && nodes.find((each) => each.id === id);
    return acting ? actionWords(acting, { nodes, edges }, states) : null;
  });

/** When an action last acted, and how often. `now`: the instant of the state, if that is past. */
export function LastAct({
  state: { lastFiredAt, firedCount },
  now,
}: {
  state: NodeState;
  now: Date | undefined;
}) {
  const current = useNow();
  if (firedCount === 0) return <span className="dim small">{t('has not acted')}</span>;
  const words =
    lastFiredAt === undefined
      ? t('{count, plural, one {acted once} other {acted # times}}', { count: firedCount })
      : t('{count, plural, one {acted {age}} other {#×, last {age}}}', {
          count: firedCount,
          age: relativeTime(new Date(lastFiredAt), now ?? current),
        });
  return <span className="dim small figures nowrap">{words}</span>;
}

type ValueProps = { type: string | undefined; state: NodeState; isPast: boolean };

/** The value of a node; of a schedule that waits, when it is true next. */
export const NodeValue = ({ type, state, isPast }: ValueProps) =>
  isNextBeat(type, state) && !isPast ? <NextBeat state={state} /> : nodeValueWords(state.value);

/** Whether the distance of a node is the seconds until it is true. */
export const isNextBeat = (type: string | undefined, { value, distance }: NodeState): boolean =>
  type === 'schedule' && distance !== undefined && value === false;

/** By the state of the node: the draft may have another period than the release that runs. */
function NextBeat({ state: { updatedAt, distance = 0 } }: { state: NodeState }) {
  const now = useNow();
  const atMs = updatedAt + distance * 1_000;
  return atMs < now.getTime() ? nodeValueWords(false) : relativeTime(new Date(atMs), now);
}
