import { useContext } from 'react';
import { t } from '../language/language.ts';
import { LastAct, NodeValue, useActionWords } from './canvas/last-act.tsx';
import { nodeBadgeOf } from './canvas/node-badge.ts';
import { CatalogueContext } from './context.ts';
import { readingOrder } from './drawing/arrange/reading-order.ts';
import { copiesWords } from './drawing/list-states.ts';
import { labelOf, type Node } from './drawing/model.ts';
import { summaryOf } from './drawing/summary.ts';
import { select, useEditor } from './store.ts';

/** The graph as a list, for a narrow screen: each node after those it reads, with its settings and its value. */
export function NodeList() {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const steps = nodes.filter(({ type }) => catalogue.types.has(type));
  const names = new Map(steps.map((node) => [node.id, labelOf(node, catalogue)]));
  const wires = Map.groupBy(edges, ({ target }) => target);
  return (
    <ol className="node-list" aria-label={t('Nodes, in the order in which they are computed')}>
      {readingOrder(steps, edges).map((node) => {
        const from = (wires.get(node.id) ?? []).flatMap(({ source }) => names.get(source) ?? []);
        return <NodeLine key={node.id} node={node} from={[...new Set(from)]} />;
      })}
    </ol>
  );
}

function NodeLine({ node, from }: { node: Node; from: readonly string[] }) {
  const catalogue = useContext(CatalogueContext);
  const state = useEditor((editor) => editor.states[node.id]);
  const copies = useEditor((editor) => editor.copies.get(node.id));
  const isSelected = useEditor((editor) => editor.selected.includes(node.id));
  const type = catalogue.types.get(node.type);
  const statesAt = useEditor((editor) => editor.statesAt);
  const does = useActionWords(node.id, type);
  const badge = nodeBadgeOf(state, []);
  const Icon = badge?.icon;
  return (
    <li>
      <button
        type="button"
        className={`node-line ${type?.group ?? 'unknown'}`}
        aria-pressed={isSelected}
        onClick={() => select([node.id])}
      >
        <strong className="clip">{labelOf(node, catalogue)}</strong>
        <span className="figures">
          {state && does !== null ? <LastAct state={state} now={statesAt} /> : null}
          {state && does === null ? (
            copies ? (
              copiesWords(copies)
            ) : (
              <NodeValue id={node.id} type={type} state={state} isPast={statesAt !== undefined} />
            )
          ) : null}
          {badge && Icon ? (
            <span className={`status ${badge.tone}`} title={badge.title}>
              <Icon size={14} aria-hidden />
              <span className={does === null ? 'sr' : 'small'}>{badge.word}</span>
            </span>
          ) : null}
        </span>
        <span className="dim small">{does ?? summaryOf(node, type)}</span>
        {from.length > 0 ? (
          <span className="dim small">{t('reads {names}', { names: from.join(', ') })}</span>
        ) : null}
      </button>
    </li>
  );
}
