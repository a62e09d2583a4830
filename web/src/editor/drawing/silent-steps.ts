import { t } from '../../language/language.ts';
import type { EditorGraph, Node } from './model.ts';

/** The compiler's rule: `true` and nothing else. */
export const isSwitchedOff = ({ data }: Node): boolean => data['disabled'] === true;

/** The step that silences each silent step, by id: itself if it is switched off, or the nearest earlier one that is. */
export type SilentSteps = ReadonlyMap<string, string>;

/** The compiler's rule, so that the canvas shows the effect of a deploy at once. `notes` are not executed. */
export function silentStepsOf(
  { nodes, edges }: Pick<EditorGraph, 'nodes' | 'edges'>,
  notes: ReadonlySet<string>,
): SilentSteps {
  const steps = nodes.filter(({ type }) => !notes.has(type));
  const silence = new Map(steps.filter(isSwitchedOff).map(({ id }) => [id, id]));
  if (silence.size === 0) return silence;
  const known = new Set(steps.map(({ id }) => id));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, cause] of silence)
    for (const { target } of onwards.get(id) ?? [])
      if (known.has(target) && !silence.has(target)) silence.set(target, cause);
  return silence;
}

/** Switches these steps off, or on again if all of them are off. */
export function withSwitched(nodes: readonly Node[], ids: ReadonlySet<string>): readonly Node[] {
  const isOn = nodes.some((node) => ids.has(node.id) && !isSwitchedOff(node));
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
