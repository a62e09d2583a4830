/**
 * Returns the differences of two graphs, one per line: nodes by id, edges by their ends. Positions on the canvas do not count.
 */
export function differencesOf(before: unknown, after: unknown): string[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === now) return [];
    return [
      old === undefined ? `+ ${name}` : now === undefined ? `- ${name}` : `~ ${name}: ${old} -> ${now}`,
    ];
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns each node and edge as text, by its name. A value that is not a graph is one part. */
function partsOf(visual: unknown): Map<string, string> {
  const { nodes, edges = [], parameters, ...rest } = fieldsOf(visual);
  if (!Array.isArray(nodes) || !Array.isArray(edges))
    return new Map(visual === null ? [] : [['drawing', textOf(visual)]]);
  const others = Object.entries(rest).filter(([name]) => name !== 'viewport');
  return new Map([
    ...nodes
      .map(fieldsOf)
      .map(({ id, position: _position, ...node }) => [`node ${id}`, textOf(node)] as const),
    ...edges.map(fieldsOf).map(({ id: _id, source, target, sourceHandle, targetHandle, ...edge }) => {
      const name = `edge ${source}${port(sourceHandle)} -> ${target}${port(targetHandle)}`;
      return [name, textOf(edge)] as const;
    }),
    ...Object.entries(fieldsOf(parameters)).map(
      ([name, value]) => [`parameter ${name}`, textOf(value)] as const,
    ),
    ...others.map(([name, value]) => [name, textOf(value)] as const),
  ]);
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** `out` is the default output port of a node. */
const port = (handle: unknown): string =>
  handle === undefined || handle === null || handle === 'out' ? '' : `.${handle}`;

/** Serializes JSON with sorted names, because the database changes their order. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
