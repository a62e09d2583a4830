import { nodeValueWords } from '../../format/node-value-words.ts';
import { age, relativeTime } from '../../format/time.ts';
import { t, translateReason } from '../../language/language.ts';
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
          age: age(new Date(lastFiredAt), now ?? current),
        });
  return <span className="dim small figures nowrap">{words}</span>;
}

type ValueProps = { id: string; type: NodeType | undefined; state: NodeState; isPast: boolean };

/** The value of a node: of a condition whether it holds, of a schedule that waits, when it is true next. */
export function NodeValue({ id, type, state, isPast }: ValueProps) {
  const input = useEditor(({ edges, states }) => {
    const edge = edges.find(({ target, targetHandle }) => target === id && targetHandle === 'in');
    return edge && states[edge.source]?.value;
  });
  if (isNextBeat(type?.type, state) && !isPast) return <NextBeat state={state} />;
  return typeof state.value === 'boolean' && type
    ? meaningOf(type, state, input === true)
    : nodeValueWords(state.value);
}

/** A yes/no in words: of a gate, which passes its one input on, whether it does so now, and why not. */
function meaningOf({ type, group }: NodeType, { value, reason }: NodeState, isInputTrue: boolean): string {
  if (GATES.has(type)) {
    if (value) return t('lets through');
    if (!isInputTrue) return t('waiting');
    return reason ? t('holds back: {reason}', { reason: translateReason(reason.message) }) : t('holds back');
  }
  if (group !== 'condition' && group !== 'control') return nodeValueWords(value);
  return value ? t('holds') : t('does not hold');
}

/** Nodes that are true only while their one input is. */
const GATES: ReadonlySet<string> = new Set(['guard', 'hold', 'cooldown', 'once', 'pulse']);

/** Whether the distance of a node is the seconds until it is true. */
export const isNextBeat = (type: string | undefined, { value, distance }: NodeState): boolean =>
  type === 'schedule' && distance !== undefined && value === false;

/** By the state of the node: the draft may have another period than the release that runs. */
function NextBeat({ state: { updatedAt, distance = 0 } }: { state: NodeState }) {
  const now = useNow();
  const atMs = updatedAt + distance * 1_000;
  return atMs < now.getTime() ? nodeValueWords(false) : relativeTime(new Date(atMs), now);
}
