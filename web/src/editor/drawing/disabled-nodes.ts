import { t } from '../../language/language.ts';
import type { EditorGraph, Node } from './model.ts';

/** The compiler's rule: `true` and nothing else. */
export const isDisabled = ({ data }: Node): boolean => data['disabled'] === true;

/** The step that silences each silent step, by id: itself if it is switched off, or the nearest earlier one that is. */
export type DisabledNodes = ReadonlyMap<string, string>;

/** The compiler's rule, so that the canvas shows the effect of a deploy at once. `notes` are not executed. */
export function disabledNodesOf(
  { nodes, edges }: Pick<EditorGraph, 'nodes' | 'edges'>,
  notes: ReadonlySet<string>,
): DisabledNodes {
  const steps = nodes.filter(({ type }) => !notes.has(type));
  const disabled = new Map(steps.filter(isDisabled).map(({ id }) => [id, id]));
  if (disabled.size === 0) return disabled;
  const known = new Set(steps.map(({ id }) => id));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, cause] of disabled)
    for (const { target } of onwards.get(id) ?? [])
      if (known.has(target) && !disabled.has(target)) disabled.set(target, cause);
  return disabled;
}

/** Switches these steps off, or on again if all of them are off. */
export function withSwitched(nodes: readonly Node[], ids: ReadonlySet<string>): readonly Node[] {
  const isOn = nodes.some((node) => ids.has(node.id) && !isDisabled(node));
  return nodes.map((node) => {
    if (!ids.has(node.id)) return node;
    const { disabled, ...data } = node.data;
    return { ...node, data: isOn ? { ...data, disabled: true } : data };
  });
}

const NAMED_MAX = 3;

/** `“A”, “B” and 2 more`. */
export function quotedNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMED_MAX).map((name) => t('“{name}”', { name }));
  return names.length > NAMED_MAX
    ? t('{names} and {count} more', { names: listed.join(', '), count: names.length - NAMED_MAX })
    : listed.join(', ');
}
