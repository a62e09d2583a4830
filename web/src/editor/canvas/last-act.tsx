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
