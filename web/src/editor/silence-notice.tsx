import { useContext, useMemo } from 'react';
import { CatalogueContext } from './context.ts';
import { labelOf } from './drawing/model.ts';
import { namesOf, silenceOf } from './drawing/silence.ts';
import { select, useEditor } from './store.ts';

/** Why a step is silent, and what is silent with it. */
export function SilenceNotice({ id }: { id: string }) {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const silence = useMemo(() => silenceOf({ nodes, edges }, catalogue.notes), [nodes, edges, catalogue]);
  const cause = silence.get(id);
  if (cause === undefined) return null;
  const named = (which: (each: string) => boolean) =>
    nodes.filter((node) => which(node.id)).map((node) => labelOf(node, catalogue));
  if (cause !== id)
    return (
      <div className="notice warn">
        Silent, without a value or an order: it depends on{' '}
        <button type="button" className="text-button" onClick={() => select([cause])}>
          {named((each) => each === cause)}
        </button>
        , which is switched off.
      </div>
    );
  const behind = named((each) => each !== id && silence.get(each) === id);
  return (
    <div className="notice warn">
      Switched off: it has no value and does nothing.
      {behind.length > 0 ? ` Neither does what depends on it: ${namesOf(behind)}.` : ''}
    </div>
  );
}
