/** Modules that come along with copied nodes. Pure. */
import type { Fields, Node } from '../model.ts';
import { newModuleName, renamedModules, withModuleNames } from './types.ts';
import { moduleVersion } from './version.ts';

/**
 * Returns nodes and the modules to add for them. One that is here already is used; one of the same name and other content gets
 * a new name.
 */
export function withCarried(
  nodes: readonly Node[],
  carried: Fields,
  present: Fields,
): { nodes: readonly Node[]; modules: Fields } {
  const added = Object.fromEntries(
    Object.entries(carried).filter(([name]) => moduleVersion(name, carried) !== moduleVersion(name, present)),
  );
  const names = new Map<string, string>();
  const taken: Record<string, unknown> = { ...carried, ...present };
  for (const name of Object.keys(added)) {
    if (!Object.hasOwn(present, name)) continue;
    const own = newModuleName(name, taken);
    names.set(name, own);
    taken[own] = null;
  }
  return { nodes: withModuleNames(nodes, names), modules: renamedModules(added, names) };
}
