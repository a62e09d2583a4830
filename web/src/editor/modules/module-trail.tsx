import { TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../../language/language.ts';
import type { Catalogue, Fields } from '../drawing/model.ts';
import { allModulesOf } from '../drawing/modules/open.ts';
import { moduleNameFault, NAME_MAX, withModules } from '../drawing/modules/types.ts';
import { moduleVersion } from '../drawing/modules/version.ts';
import { useEditor } from '../store.ts';
import { closeModules, renameModule } from './module-actions.ts';

/** The catalogue with the modules of the graph. */
export function useCatalogueWithModules(catalogue: Catalogue | undefined): Catalogue | undefined {
  const { modules, trail } = useModules();
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

/** The modules of the whole graph, and the way to the open one. */
function useModules() {
  const { nodes, edges, rest, trail } = useEditor(
    useShallow((editor) => ({
      ...{ nodes: editor.nodes, edges: editor.edges, rest: editor.rest, trail: editor.trail },
    })),
  );
  const modules = useMemo(() => allModulesOf({ nodes, edges, rest, trail }), [nodes, edges, rest, trail]);
  return { modules, trail };
}

/** The way from the whole graph to the open module; each step goes back there. */
export function ModuleTrail() {
  const { trail, modules } = useModules();
  const name = trail.at(-1)?.name;
  if (name === undefined) return null;
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
      <OpenName key={name} name={name} modules={modules} />
    </nav>
  );
}

/** The name of the open module, which changes when the field is left, and its version. */
function OpenName({ name, modules }: { name: string; modules: Fields }) {
  const canEdit = useEditor((editor) => editor.canEdit);
  const [typed, setTyped] = useState(name);
  const others = Object.keys(modules).filter((other) => other !== name);
  const fault = moduleNameFault(typed, others);
  const version = moduleVersion(name, modules);
  return (
    <>
      {canEdit ? (
        <TextInput
          size="xs"
          aria-label={t('Name of the module')}
          autoComplete="off"
          maxLength={NAME_MAX}
          value={typed}
          error={fault}
          onChange={(event) => setTyped(event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
          onBlur={() => {
            if (fault) setTyped(name);
            else if (typed !== name) renameModule(name, typed);
          }}
        />
      ) : (
        <strong>{name}</strong>
      )}
      <span className="dim small" title={t('Equal modules have equal versions, in every strategy.')}>
        {t('Version {version}', { version: version ?? '' })}
      </span>
    </>
  );
}
