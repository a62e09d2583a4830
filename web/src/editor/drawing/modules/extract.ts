/** Makes a module of nodes, and nodes of a module. Pure. */
import { readGraph, writeGraph } from '../json.ts';
import {
  type Catalogue,
  type Config,
  configOf,
  type Edge,
  type EditorGraph,
  edgeId,
  type Fields,
  isFields,
  type Node,
  newId,
} from '../model.ts';
import { graphParametersOf, isList, isSeries, referenceIn } from '../parameters.ts';
import { portsOf } from '../ports.ts';
import { boundsOf, boxOf } from '../view.ts';
import { mentionedIn, withMentions } from './mentions.ts';
import { INPUT, isPort, moduleOf, newModuleName, OUTPUT, PREFIX } from './types.ts';

const PORT_GAP_PX = 260;

/** A graph in which nodes became one that uses a new module. */
export type Extracted = EditorGraph & { readonly name: string; readonly module: Fields; readonly use: Node };

/** Moves nodes into a module, with a port for each source of edges that cross its border; null if there is none to move. */
export function extractModule(
  graph: EditorGraph,
  ids: readonly string[],
  { catalogue, taken }: { catalogue: Catalogue; taken: Fields },
): Extracted | null {
  const inner = graph.nodes.filter((node) => ids.includes(node.id) && !isPort(node));
  const bounds = boundsOf(inner.map((node) => boxOf(node, catalogue)));
  if (!bounds || inner.every(({ type }) => catalogue.notes.has(type))) return null;
  const inside = new Set(inner.map(({ id }) => id));
  const names = new Set(inside);
  const ports: Node[] = [];
  const edges: Edge[] = [];
  const outer: Edge[] = [];
  const known = new Map<string, string>();
  const portOf = (edge: Edge, type: string, wish: string): string => {
    const key = `${edge.source} ${edge.sourceHandle}`;
    const id = known.get(key) ?? newId(wish, names);
    if (known.has(key)) return id;
    known.set(key, id);
    names.add(id);
    const x = type === INPUT ? bounds.x - PORT_GAP_PX : bounds.x + bounds.width + PORT_GAP_PX / 4;
    const index = ports.filter((port) => port.type === type).length;
    const kind = kindAt(edge, graph.nodes, catalogue);
    ports.push({ id, type, position: { x, y: bounds.y + 100 * index }, data: { config: { kind } } });
    return id;
  };
  const name = newModuleName('part', taken);
  const id = newId(name, new Set(graph.nodes.map((node) => node.id)));
  for (const edge of graph.edges) {
    const [from, to] = [inside.has(edge.source), inside.has(edge.target)];
    if (from && to) edges.push(edge);
    else if (to) {
      const isNew = !known.has(`${edge.source} ${edge.sourceHandle}`);
      const port = portOf(edge, INPUT, edge.targetHandle ?? 'in');
      edges.push(joined(edge, { source: port, sourceHandle: 'out' }));
      if (isNew) outer.push(joined(edge, { target: id, targetHandle: port }));
    } else if (from) {
      const isNew = !known.has(`${edge.source} ${edge.sourceHandle}`);
      const port = portOf(edge, OUTPUT, 'out');
      if (isNew) edges.push(joined(edge, { target: port, targetHandle: 'in' }));
      outer.push(joined(edge, { source: id, sourceHandle: port }));
    } else outer.push(edge);
  }
  const { parameters, config } = parametersUsed(inner, graph.rest);
  const use: Node = { id, type: PREFIX + name, position: { x: bounds.x, y: bounds.y }, data: { config } };
  const at = graph.nodes.findIndex((node) => inside.has(node.id));
  const around = withMentions(graph.nodes, (mentioned) =>
    mentionedIn(inside, mentioned) ? `{${id}/${mentioned}}` : null,
  );
  const nodes = around.flatMap((node, index) => (index === at ? [use] : inside.has(node.id) ? [] : [node]));
  const module = writeGraph({ nodes: [...ports, ...inner], edges, rest: parameters });
  return { ...graph, nodes, edges: outer, name, module, use };
}

const joined = (edge: Edge, ends: Partial<Edge>): Edge => {
  const moved = { ...edge, ...ends };
  return { ...moved, id: edgeId(moved) };
};

function kindAt({ source, sourceHandle }: Edge, nodes: readonly Node[], { types }: Catalogue) {
  const node = nodes.find(({ id }) => id === source);
  const { outputs } = portsOf(node && types.get(node.type), node ? configOf(node) : {});
  return (outputs.find(({ name }) => name === sourceHandle) ?? outputs[0])?.kind ?? 'number';
}

/** Returns the parameters that nodes refer to as those of a module, and the config that passes them on. */
function parametersUsed(nodes: readonly Node[], rest: Fields): { parameters: Fields; config: Config } {
  const named = new Set(
    nodes.flatMap((node) => Object.values(configOf(node)).flatMap((v) => referenceIn(v) ?? [])),
  );
  const written = isFields(rest['parameters']) ? rest['parameters'] : {};
  const used = graphParametersOf(rest).filter(({ name }) => named.has(name));
  if (used.length === 0) return { parameters: {}, config: {} };
  const own = used.map(({ name, value }) => [
    name,
    {
      ...(isFields(written[name]) && written[name]),
      ...(isList(value) && { value: value[0] }),
      ...(isSeries(value) && { value: '' }),
    },
  ]);
  return {
    parameters: { parameters: Object.fromEntries(own) },
    config: Object.fromEntries(used.map(({ name }) => [name, { parameter: name }])),
  };
}

/** Puts copies of a module's nodes in the place of a node that uses it; null if there is no such module. */
export function dissolveModule(graph: EditorGraph, id: string, modules: Fields): EditorGraph | null {
  const use = graph.nodes.find((node) => node.id === id);
  const name = moduleOf(use?.type ?? '') ?? '';
  const module = Object.hasOwn(modules, name) ? modules[name] : null;
  if (!use || !isFields(module)) return null;
  const { nodes: within, edges: links } = readGraph(module);
  const ports = new Set(within.filter(isPort).map((port) => port.id));
  const values = new Map<string, unknown>(graphParametersOf(module).map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(configOf(use))) values.set(name, value);
  const taken = new Set(graph.nodes.map((node) => node.id));
  const names = new Map<string, string>();
  for (const node of within.filter((each) => !isPort(each))) {
    names.set(node.id, newId(node.id, taken));
    taken.add(names.get(node.id) ?? '');
  }
  const first = within.find((node) => names.has(node.id))?.position ?? use.position;
  const nameOf = (mentioned: string): string | null => {
    const found = mentionedIn(names, mentioned);
    return found && `{${names.get(found.id)}${found.within}}`;
  };
  const filled = (mentioned: string): string | null => {
    const value = values.get(mentioned);
    if (value === undefined) return nameOf(mentioned);
    const name = referenceIn(value);
    return name === null ? String(value) : `{${name}}`;
  };
  const inner = withMentions(within, filled).flatMap((node): Node[] => {
    const { x, y } = node.position;
    const config = Object.entries(configOf(node)).map(([setting, value]) => [
      setting,
      values.get(referenceIn(value) ?? '') ?? value,
    ]);
    const position = { x: use.position.x + x - first.x, y: use.position.y + y - first.y };
    const own = names.get(node.id);
    return own
      ? [{ ...node, id: own, position, data: { ...node.data, config: Object.fromEntries(config) } }]
      : [];
  });
  const between = links
    .filter(({ source, target }) => !ports.has(source) && !ports.has(target))
    .map((edge) =>
      joined(edge, { source: names.get(edge.source) ?? '', target: names.get(edge.target) ?? '' }),
    );
  const around = graph.edges.flatMap((edge): Edge[] => {
    if (edge.target === id)
      return links
        .filter(({ source }) => source === edge.targetHandle)
        .map(({ target, targetHandle }) => joined(edge, { target: names.get(target) ?? '', targetHandle }));
    if (edge.source !== id) return [edge];
    return links
      .filter(({ target }) => target === edge.sourceHandle)
      .map(({ source, sourceHandle }) => joined(edge, { source: names.get(source) ?? '', sourceHandle }));
  });
  const outer = withMentions(graph.nodes, (mentioned) =>
    mentioned.startsWith(`${id}/`) ? nameOf(mentioned.slice(id.length + 1)) : null,
  );
  return {
    ...graph,
    nodes: outer.flatMap((node) => (node.id === id ? inner : [node])),
    edges: [...around, ...between],
  };
}
