/**
 * Reads the modules of a graph: named graphs with ports and parameters of their own, which nodes of type `module.<name>` use.
 * Only those in use are read. Sizes are summed before anything is inlined, so a small text cannot cost much.
 */
import { isObject, type Json, kindOf, quoted } from '../../json.ts';
import type { PortKind } from '../../types.ts';
import { type IssueLocation, type Issues, pointer } from '../issues.ts';
import { readParameters, type WrittenParameters } from '../parameters.ts';
import { isAnnotation, NODES_MAX } from '../parsed-graph.ts';

export const MODULES_MAX = 50;
/** Characters of the nodes that uses of modules stand for, as JSON: those of a module count for each use. */
const TEXT_MAX = 256 * 1024;
/** Modules within modules; the outermost counts. */
export const MODULE_DEPTH_MAX = 4;
const PREFIX = 'module.';
const PORT_TYPES = { 'module.input': 'inputs', 'module.output': 'outputs' } as const;
/** Letters, digits and `_`, as in names of parameters; `input` and `output` are the types of ports. */
const NAME = /^(?!input$|output$)[A-Za-z][A-Za-z0-9_]{0,39}$/;

export type ModulePort = { readonly id: string; readonly label: string; readonly kind: PortKind };
export type RawEdge = {
  readonly place: string;
  readonly raw: unknown;
  readonly source: string;
  readonly target: string;
  readonly sourceHandle: string | null;
  readonly targetHandle: string | null;
};
/** A node of a level as written; `uses`: the module that it stands for. */
export type LevelNode = { readonly place: string; readonly raw: unknown; readonly uses: Module | null };

/** A graph as written: the outermost one or a module, with its nodes and edges. */
export type Level = {
  readonly nodes: readonly LevelNode[];
  readonly edges: readonly RawEdge[];
  /** By id: the modules that nodes of this level stand for; null for one that could not be read. */
  readonly uses: ReadonlyMap<string, Module | null>;
  readonly inputs: ReadonlyMap<string, ModulePort>;
  readonly outputs: ReadonlyMap<string, ModulePort>;
  /** Ids of its nodes that run. */
  readonly ids: ReadonlySet<unknown>;
  /** Ids of nodes and inputs that an edge starts from. */
  readonly sources: ReadonlySet<string>;
  /** Edges by target, then by port. */
  readonly into: ReadonlyMap<string, ReadonlyMap<string | null, readonly RawEdge[]>>;
  /** Nodes that run, uses of modules and the length of both, those within modules counted; levels of modules. */
  readonly size: Readonly<Record<'nodes' | 'uses' | 'text' | 'depth', number>>;
};

export type Module = Level & { readonly parameters: WrittenParameters };

/** Whether a graph has modules, or nodes that use one. */
export const hasModules = (visual: Json): boolean =>
  visual['modules'] !== undefined || listIn(visual, 'nodes').some((node) => moduleTypeOf(node) !== null);

const listIn = (graph: Json, name: string): readonly unknown[] => {
  const list = graph[name];
  return Array.isArray(list) ? list : [];
};

/** Returns the type of a node of a module or of a port of one. */
export function moduleTypeOf(node: unknown): string | null {
  const type = isObject(node) ? node['type'] : null;
  return typeof type === 'string' && type.startsWith(PREFIX) ? type : null;
}

/** Returns the outermost level of a graph with the modules it uses; null if it would be too large or endless. */
export function readModules(visual: Json, issues: Issues): Level | null {
  const reader = new ModuleReader(definitionsOf(visual['modules'], issues), issues);
  const top = reader.readLevel(visual, '');
  reader.warnOfUnused();
  for (const port of [...top.inputs.values(), ...top.outputs.values()]) {
    const message = `“${port.label}” is a port of a module, and stands outside of one. Remove it.`;
    issues.error({ nodeId: port.id, path: pointer('nodes') }, 'port_outside_module', message);
  }
  const { nodes, uses, text } = top.size;
  if (!reader.isSound) return null;
  if (nodes > NODES_MAX || uses > NODES_MAX) {
    const what = nodes > NODES_MAX ? `${nodes} nodes to execute` : `${uses} uses of modules`;
    const message = `This graph has ${what}, as each use of a module has nodes of its own; ${NODES_MAX} are allowed. Use fewer modules, or smaller ones.`;
    issues.error({ nodeId: null, path: pointer('nodes') }, 'too_many_nodes', message);
    return null;
  }
  if (text <= TEXT_MAX) return top;
  const message = `The nodes of modules take ${text} characters, as each use has nodes of its own; ${TEXT_MAX} are allowed. Use fewer modules, or shorten their settings.`;
  issues.error({ nodeId: null, path: pointer('modules') }, 'modules_too_large', message);
  return null;
}

function definitionsOf(modules: unknown, issues: Issues): ReadonlyMap<string, unknown> {
  const location = { nodeId: null, path: pointer('modules') };
  if (modules === undefined) return new Map();
  if (!isObject(modules)) {
    const message = `“modules” must be an object: the name of each, and its graph. It is ${kindOf(modules)}.`;
    issues.error(location, 'not_modules', message);
    return new Map();
  }
  const entries = Object.entries(modules);
  if (entries.length <= MODULES_MAX) return new Map(entries);
  const message = `This graph has ${entries.length} modules; ${MODULES_MAX} are allowed.`;
  issues.error(location, 'too_many_modules', message);
  return new Map();
}

class ModuleReader {
  /** False: modules contain themselves, or are nested too deep. */
  isSound = true;
  readonly #definitions: ReadonlyMap<string, unknown>;
  readonly #issues: Issues;
  readonly #read = new Map<string, Module | null>();
  readonly #open: string[] = [];

  constructor(definitions: ReadonlyMap<string, unknown>, issues: Issues) {
    this.#definitions = definitions;
    this.#issues = issues;
  }

  warnOfUnused(): void {
    for (const name of this.#definitions.keys()) {
      if (this.#read.has(name)) continue;
      const message = `No node uses the module ${quoted(name)}.`;
      this.#issues.warning({ nodeId: null, path: pointer('modules', name) }, 'unused_module', message);
    }
  }

  readLevel(graph: Json, place: string): Level {
    const nodes: LevelNode[] = [];
    const uses = new Map<string, Module | null>();
    const ports = { inputs: new Map<string, ModulePort>(), outputs: new Map<string, ModulePort>() };
    const size = { nodes: 0, uses: 0, text: 0, depth: 0 };
    if (place !== '') size.text = JSON.stringify(graph['nodes']).length;
    for (const [index, raw] of listIn(graph, 'nodes').entries()) {
      const at = `${place}${pointer('nodes', index)}`;
      const type = moduleTypeOf(raw);
      if (type === 'module.input' || type === 'module.output') {
        const port = this.#portOf(raw as Json, at);
        if (port !== null) ports[PORT_TYPES[type]].set(port.id, port);
        continue;
      }
      const module = type === null ? null : this.#moduleOf(raw as Json, type.slice(PREFIX.length), at);
      if (type !== null) uses.set(String((raw as Json)['id']), module);
      if (module !== null) {
        size.uses += 1 + module.size.uses;
        size.nodes += module.size.nodes;
        size.text += module.size.text;
        size.depth = Math.max(size.depth, 1 + module.size.depth);
      } else if (type === null && !isAnnotation(raw)) size.nodes++;
      nodes.push({ place: at, raw, uses: module });
    }
    const edges = listIn(graph, 'edges').map((raw, index) =>
      edgeOf(raw, `${place}${pointer('edges', index)}`, uses),
    );
    const into = new Map<string, Map<string | null, RawEdge[]>>();
    for (const edge of edges) {
      const known = into.get(edge.target) ?? new Map<string | null, RawEdge[]>();
      into.set(edge.target, known);
      const there = known.get(edge.targetHandle);
      if (there === undefined) known.set(edge.targetHandle, [edge]);
      else there.push(edge);
    }
    const ids = new Set(nodes.flatMap(({ raw }) => (isObject(raw) ? [raw['id']] : [])));
    const sources = new Set(edges.map(({ source }) => source));
    return { nodes, ids, edges, sources, uses, ...ports, into, size };
  }

  #portOf(node: Json, path: string): ModulePort | null {
    const { id } = node;
    const data = isObject(node['data']) ? node['data'] : {};
    const kind = (isObject(data['config']) ? data['config']['kind'] : undefined) ?? 'number';
    if (typeof id === 'string' && id !== '' && (kind === 'number' || kind === 'boolean'))
      return { id, label: labelOf(node), kind };
    const message = `A port of a module needs an id and the “kind” of its value in its config: number or boolean. It has ${quoted(kind)}.`;
    this.#issues.error({ nodeId: null, path }, 'bad_port', message);
    return null;
  }

  #moduleOf(node: Json, name: string, path: string): Module | null {
    const location = { nodeId: typeof node['id'] === 'string' ? node['id'] : null, path };
    const trail = [...this.#open, name];
    const names = trail.map((each) => `“${each}”`).join(' → ');
    if (this.#open.includes(name)) {
      this.#refuse(location, 'recursive_module', `A module cannot contain itself: ${names}.`);
      return null;
    }
    const left = MODULE_DEPTH_MAX - trail.length;
    const known = this.#read.get(name);
    const module = known === undefined && left >= 0 ? this.#readModule(name, location) : (known ?? null);
    this.#read.set(name, module);
    if (left >= (module?.size.depth ?? 0)) return module;
    const message = `Modules are nested more than ${MODULE_DEPTH_MAX} deep here: ${names}. Use one of them outside of the others.`;
    this.#refuse(location, 'modules_too_deep', message);
    return null;
  }

  #readModule(name: string, location: IssueLocation): Module | null {
    const place = pointer('modules', name);
    const graph = this.#definitions.get(name);
    if (graph === undefined) {
      const message = `There is no module ${quoted(name)}. Add it to “modules” of the graph.`;
      this.#issues.error({ ...location, path: `${location.path}/type` }, 'unknown_module', message);
      return null;
    }
    if (!NAME.test(name) || !isObject(graph) || !Array.isArray(graph['nodes'])) {
      const message = `A module has a name of letters and digits, up to 40, other than “input” and “output”, and is an object with “nodes” and “edges”. ${quoted(name)} is ${kindOf(graph)}.`;
      this.#issues.error({ nodeId: null, path: place }, 'bad_module', message);
      return null;
    }
    this.#open.push(name);
    const level = this.readLevel(graph, place);
    this.#open.pop();
    this.#checkPorts(level, place);
    return { ...level, parameters: readParameters(graph['parameters'] ?? {}, this.#issues, place) };
  }

  /** Each output has one edge, from a node. So a chain of edges through modules ends at a node. */
  #checkPorts({ ids, inputs, outputs, into }: Level, path: string): void {
    for (const { id, label } of [...inputs.values(), ...outputs.values()]) {
      if (!ids.has(id) && !(inputs.has(id) && outputs.has(id))) continue;
      const message = `Something else in this module has the id of its port “${label}”, ${quoted(id)}. Ids must differ.`;
      this.#issues.error({ nodeId: null, path }, 'duplicate_id', message);
    }
    for (const port of outputs.values()) {
      const edges = [...(into.get(port.id)?.values() ?? [])].flat();
      if (edges.length === 1 && !inputs.has(edges[0]?.source ?? '')) continue;
      const message = `The output “${port.label}” of a module takes one edge, from a node and not from an input. It has ${edges.length}.`;
      this.#issues.error({ nodeId: null, path }, 'bad_output', message);
    }
  }

  #refuse(location: IssueLocation, code: string, message: string): void {
    this.isSound = false;
    this.#issues.error(location, code, message);
  }
}

/** Returns the label of a node, else its id. */
export function labelOf(node: Json): string {
  const label = isObject(node['data']) ? node['data']['label'] : undefined;
  return typeof label === 'string' && label.trim() !== '' ? label.trim() : String(node['id']);
}

/** Names the ports of an edge where editors omit the only one of a module. */
function edgeOf(raw: unknown, place: string, uses: Level['uses']): RawEdge {
  const edge = isObject(raw) ? raw : {};
  const [source, target] = [String(edge['source']), String(edge['target'])];
  const handle = (value: unknown, ports: ReadonlyMap<string, ModulePort> | undefined): string | null => {
    if (typeof value === 'string') return value;
    return ports?.size === 1 ? ([...ports.keys()][0] ?? null) : null;
  };
  return {
    place,
    raw,
    source,
    target,
    sourceHandle: handle(edge['sourceHandle'], uses.get(source)?.outputs),
    targetHandle: handle(edge['targetHandle'], uses.get(target)?.inputs),
  };
}
