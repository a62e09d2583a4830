import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../language/language.ts';
import type { Catalogue } from './drawing/model.ts';
import { allModulesOf } from './drawing/modules/open.ts';
import { withModules } from './drawing/modules/types.ts';
import { closeModules } from './module-actions.ts';
import { useEditor } from './store.ts';

/** The catalogue with the modules of the graph. */
export function useCatalogueWithModules(catalogue: Catalogue | undefined): Catalogue | undefined {
  const { nodes, edges, rest, trail } = useEditor(
    useShallow((editor) => ({
      ...{ nodes: editor.nodes, edges: editor.edges, rest: editor.rest, trail: editor.trail },
    })),
  );
  const modules = useMemo(() => allModulesOf({ nodes, edges, rest, trail }), [nodes, edges, rest, trail]);
  return useMemo(
    () =>
      catalogue &&
      withModules(
        catalogue,
        modules,
        trail.map(({ name }) => name),
      ),
    [catalogue, modules, trail],
  );
}

/** The way from the whole graph to the open module; each step goes back there. */
export function ModuleTrail() {
  const trail = useEditor((editor) => editor.trail);
  if (trail.length === 0) return null;
  return (
    <nav className="module-trail panel" aria-label={t('Open modules')}>
      {trail.map(({ name, nodeId }, depth) => (
        <span key={nodeId + name}>
          <button type="button" className="text-button" onClick={() => closeModules(depth)}>
            {depth === 0 ? t('Strategy') : trail[depth - 1]?.name}
          </button>
          {' › '}
        </span>
      ))}
      <strong>{trail.at(-1)?.name}</strong>
    </nav>
  );
}
