import { msg, t } from '../../language/language.ts';
import { disabledNodesOf } from './disabled-nodes.ts';
import { type Catalogue, configOf, type EditorGraph, labelOf, type Node } from './model.ts';
import { portsOf } from './ports.ts';

/** An acting step and the steps that cause it, in the user's names. */
export type ActionDescription = {
  id: string;
  name: string;
  does: string;
  when: readonly string[];
  uses: readonly string[];
  /** Whether it does nothing: it, or an earlier step, is switched off. */
  isSilent: boolean;
};

/** Describes a graph from its actions: each action with the steps that feed it, conditions apart from numbers. */
export function describeActions(
  { nodes, edges }: Pick<EditorGraph, 'nodes' | 'edges'>,
  catalogue: Catalogue,
): ActionDescription[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const silence = disabledNodesOf({ nodes, edges }, catalogue.notes);
  const nameOf = (node: Node) => t('“{name}”', { name: labelOf(node, catalogue) });
  return nodes.flatMap((node) => {
    const type = catalogue.types.get(node.type);
    if (type?.group !== 'action') return [];
    const { inputs } = portsOf(type, configOf(node));
    const fedBy = (kind: string) =>
      inputs
        .filter((port) => port.kind === kind)
        .flatMap(({ name }) =>
          edges.flatMap(({ source, target, targetHandle }) => {
            const from = target === node.id && targetHandle === name ? byId.get(source) : undefined;
            return from ? [nameOf(from)] : [];
          }),
        );
    const [does = type.title] = type.help.split(/(?<=\.)\s/);
    return [
      {
        id: node.id,
        name: labelOf(node, catalogue),
        does,
        when: fedBy('boolean'),
        uses: fedBy('number'),
        isSilent: silence.has(node.id),
      },
    ];
  });
}

const GROUPS = [
  { words: msg('Add a data source'), groups: ['source'] },
  {
    words: msg('Add a condition'),
    groups: ['condition', 'control', 'risk'],
  },
  { words: msg('Add an action'), groups: ['action'] },
] as const;

export type StrategyPart = { words: string; isDone: boolean };

/** The parts that every strategy has, and whether this one has them. */
export const strategyPartsOf = (
  { nodes }: Pick<EditorGraph, 'nodes'>,
  { types }: Catalogue,
): StrategyPart[] =>
  GROUPS.map(({ words, groups }) => ({
    words: t(words),
    isDone: nodes.some(({ type }) => groups.some((group) => group === types.get(type)?.group)),
  }));
