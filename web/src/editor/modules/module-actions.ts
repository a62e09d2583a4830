/** Makes, opens, closes and dissolves modules. */
import { notifications } from '@mantine/notifications';
import { t } from '../../language/language.ts';
import type { Catalogue } from '../drawing/model.ts';
import { dissolveModule, extractModule } from '../drawing/modules/extract.ts';
import {
  allModulesOf,
  type Opened,
  withClosed,
  withModuleRenamed,
  withModulesAdded,
  withOpened,
} from '../drawing/modules/open.ts';
import { edit, useEditor } from '../store.ts';

/** Makes a module of nodes, as one edit, and selects the node that uses it. */
export function makeModule(ids: readonly string[], catalogue: Catalogue): void {
  const now = useEditor.getState();
  const made = extractModule(now, ids, { catalogue, taken: allModulesOf(now) });
  if (made === null) {
    notifications.show({ message: t('Select nodes to make a module of them.') });
    return;
  }
  const { nodes, edges, name, module, use } = made;
  edit((level) => ({
    ...{ nodes, edges, selected: [use.id], selectedEdges: [] },
    ...withModulesAdded(level, { [name]: module }),
  }));
}

/** Puts the nodes of a module in the place of one that uses it, as one edit. */
export function dissolve(id: string): void {
  const now = useEditor.getState();
  const graph = dissolveModule(now, id, allModulesOf(now));
  if (graph !== null) edit(() => ({ nodes: graph.nodes, edges: graph.edges, selected: [] }));
}

/** Renames the open module, as one edit. */
export const renameModule = (from: string, to: string): void =>
  edit((now) => ({ ...withModuleRenamed(now, from, to), selected: [], selectedEdges: [] }));

/** Shows the nodes of the module that a node uses, in its place. */
export function openModule(id: string): void {
  const opened = withOpened(useEditor.getState(), id);
  if (opened !== null) show(opened);
}

/** Shows the graph around, with this many modules open. */
export const closeModules = (depth: number): void => show(withClosed(useEditor.getState(), depth));

/** Goes to another level: no edit that could be undone. */
function show(opened: Opened): void {
  const { pause, resume } = useEditor.temporal.getState();
  pause();
  edit((now) => ({ ...opened, opened: now.opened + 1, selected: [], selectedEdges: [], recent: new Map() }));
  resume();
}
