import { useContext, useMemo } from 'react';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CatalogueContext } from '../context.ts';
import { disabledNodesOf, quotedNames } from '../drawing/disabled-nodes.ts';
import { labelOf } from '../drawing/model.ts';
import { select, useEditor } from '../store.ts';

/** The reason why a step is silent, and the steps that are silent with it. */
export function SilentStepNotice({ id }: { id: string }) {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const silence = useMemo(
    () => disabledNodesOf({ nodes, edges }, catalogue.notes),
    [nodes, edges, catalogue],
  );
  const cause = silence.get(id);
  if (cause === undefined) return null;
  const named = (which: (each: string) => boolean) =>
    nodes.filter((node) => which(node.id)).map((node) => labelOf(node, catalogue));
  if (cause !== id)
    return (
      <div className="notice warn">
        <Trans
          message="Silent, without a value or an order: it depends on {button}, which is switched off."
          values={{
            button: (
              <button type="button" className="text-button" onClick={() => select([cause])}>
                {named((each) => each === cause)}
              </button>
            ),
          }}
        />
      </div>
    );
  const behind = named((each) => each !== id && silence.get(each) === id);
  return (
    <div className="notice warn">
      {t('Switched off: it has no value and does nothing.')}
      {behind.length > 0
        ? ` ${t('Neither does what depends on it: {behind}.', { behind: quotedNames(behind) })}`
        : ''}
    </div>
  );
}
