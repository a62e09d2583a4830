/**
 * Puts the nodes of modules in the place of the nodes that use them: all later code reads one flat graph. A node within
 * has the id `entry/ema` and the label “Entry › ema”. Edges through ports join the nodes at their ends.
 */
import { isObject, type Json, quoted } from '../../json.ts';
import { notifyTextProblem, PLACEHOLDER } from '../../nodes/actions/notify.ts';
import { Issues, pointer } from '../issues.ts';
import { faultOfParameter, faultOfReference, referenceIn } from '../parameters.ts';
import { EDGES_MAX, isAnnotation, isUsableId, NODE_ID_BYTES_MAX, type PassedPort } from '../parsed-graph.ts';
import {
  hasModules,
  type Level,
  labelOf,
  type Module,
  moduleTypeOf,
  type RawEdge,
  readModules,
} from './read-modules.ts';

/** A graph without modules, and where its parts stand in the graph as written; no places: at their indices. */
export type InlinedGraph = {
  readonly visual: Json;
  readonly nodePlaces: readonly string[];
  readonly edgePlaces: readonly string[];
  /** By edge: the ports of modules on its way. */
  readonly edgePorts: readonly (readonly PassedPort[])[];
  /** Ids of nodes behind an input of a module that nothing is connected to. */
  readonly unfed: ReadonlySet<string>;
};

const LABEL_MAX = 60;
const SEPARATOR = ' › ';
/** Steps from port to port; more than edges, of which each passes ports of up to four modules on both sides. */
const STEPS_MAX = 10 * EDGES_MAX;
/** Settings that name what belongs together. A name written in a module is of each of its uses alone. */
const NAMING_SETTINGS: ReadonlySet<string> = new Set(['basket', 'oneCancelsOther']);

/** Returns the graph with its modules inlined; without any issue for a graph of any JSON. */
export const inlinedGraph = (visual: unknown): unknown =>
  isObject(visual) ? inlineModules(visual, new Issues()).visual : visual;

/** Inlines modules. Pure; a graph without any stays as it is. Cost is bounded before anything is copied. */
export function inlineModules(visual: Json, issues: Issues): InlinedGraph {
  const unchanged = { visual, nodePlaces: [], edgePlaces: [], edgePorts: [], unfed: new Set<string>() };
  if (!hasModules(visual)) return unchanged;
  const { modules: _, ...rest } = visual;
  const top = readModules(visual, issues);
  if (top === null) return { ...unchanged, visual: { ...rest, nodes: [], edges: [] } };
  const inlining = new Inlining(issues);
  inlining.addLevel({ level: top, prefix: '', label: '', isDisabled: false, use: null, within: new Map() });
  const { nodes, edges, nodePlaces, edgePlaces, edgePorts, unfed } = inlining;
  const flat = {
    ...rest,
    ...(Array.isArray(visual['nodes']) && { nodes }),
    ...(Array.isArray(visual['edges']) && { edges }),
  };
  return { visual: flat, nodePlaces, edgePlaces, edgePorts, unfed };
}

/** One use of a level: the outermost graph once, a module as often as nodes use it. */
type Scope = {
  readonly level: Level;
  /** Prefixes of ids and labels within. */
  readonly prefix: string;
  readonly label: string;
  readonly isDisabled: boolean;
  readonly use: Use | null;
  /** By id of a node that uses a module. */
  readonly within: Map<string, Scope>;
};

type Use = {
  readonly outer: Scope;
  readonly id: string;
  /** By parameter: a value, or a reference to a parameter of the graph. */
  readonly values: ReadonlyMap<string, unknown>;
};

type End = { readonly id: string; readonly handle: string | null; readonly ports: readonly PassedPort[] };

class Inlining {
  readonly nodes: unknown[] = [];
  readonly edges: unknown[] = [];
  readonly nodePlaces: string[] = [];
  readonly edgePlaces: string[] = [];
  readonly edgePorts: (readonly PassedPort[])[] = [];
  readonly unfed = new Set<string>();
  readonly #issues: Issues;
  #steps = 0;

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  addLevel(scope: Scope): void {
    for (const { place, raw, uses } of scope.level.nodes) {
      if (uses !== null) this.#addUse(scope, raw as Json, uses, place);
      else if (moduleTypeOf(raw) === null && (scope.use === null || !isAnnotation(raw))) {
        this.nodes.push(scope.use === null ? raw : this.#copyOf(raw, scope, place));
        this.nodePlaces.push(place);
      }
    }
    for (const edge of scope.level.edges) this.#addEdges(scope, edge);
  }

  #addUse(outer: Scope, node: Json, module: Module, place: string): void {
    const id = `${outer.prefix}${String(node['id'])}`;
    const location = (...rest: string[]) => ({ nodeId: id, path: `${place}${pointer(...rest)}` });
    if (typeof node['id'] !== 'string' || !isUsableId(id)) {
      const message = `A node needs an id of 1 to ${NODE_ID_BYTES_MAX} printable characters, those of the modules around it counted; this one has ${quoted(id)}.`;
      this.#issues.error({ nodeId: null, path: `${place}/id` }, 'bad_id', message);
      return;
    }
    const data = isObject(node['data']) ? node['data'] : {};
    const disabled = data['disabled'] ?? false;
    if (typeof disabled !== 'boolean') {
      const message = `“disabled” says whether a node is switched off: true or false. It is ${quoted(disabled)}.`;
      this.#issues.error(location('data', 'disabled'), 'not_a_switch', message);
    }
    const config = isObject(data['config']) ? this.#resolved(data['config'], outer, place, id) : {};
    const scope: Scope = {
      level: module,
      prefix: `${id}/`,
      label: `${outer.label}${labelOf(node)}${SEPARATOR}`,
      isDisabled: outer.isDisabled || disabled === true,
      use: { outer, id: String(node['id']), values: this.#valuesOf(module, config, location) },
      within: new Map(),
    };
    outer.within.set(String(node['id']), scope);
    this.#checkInputs(scope, location);
    this.addLevel(scope);
  }

  #valuesOf(
    { parameters }: Module,
    config: Json,
    location: (...rest: string[]) => { nodeId: string; path: string },
  ): ReadonlyMap<string, unknown> {
    const values = new Map<string, unknown>([...parameters].map(([name, { value }]) => [name, value]));
    for (const [name, value] of Object.entries(config)) {
      const written = parameters.get(name);
      const at = location('data', 'config', name);
      if (written === undefined) {
        const message = `This module has no parameter ${quoted(name)}. It has ${[...parameters.keys()].join(', ') || 'none'}.`;
        this.#issues.error(at, 'unknown_setting', message);
        continue;
      }
      const isOther = typeof value !== typeof written['value'];
      const fault =
        referenceIn(value) !== null
          ? null
          : isOther
            ? `“${name}” takes a value such as ${quoted(written['value'])}; it is ${quoted(value)}.`
            : faultOfParameter(name, { ...written, value });
      if (fault !== null) this.#issues.error(at, 'bad_setting', fault);
      values.set(name, value);
    }
    return values;
  }

  /** Reports inputs that lead to nodes, and to which nothing leads. */
  #checkInputs(scope: Scope, location: () => { nodeId: string; path: string }): void {
    const { level, use, isDisabled } = scope;
    const name = scope.label.slice(0, -SEPARATOR.length);
    const into = use?.outer.level.into.get(use.id);
    for (const { id, label } of isDisabled ? [] : level.inputs.values()) {
      if (!level.sources.has(id) || into?.has(id)) continue;
      const message = `Connect something to input “${label}” of “${name}”: nodes of its module read it.`;
      this.#issues.error(location(), 'missing_input', message);
    }
    for (const [port, edges] of into ?? []) {
      if (port !== null && level.inputs.has(port)) continue;
      const names = [...level.inputs.keys()].map((id) => `“${id}”`).join(', ');
      const message = `There is no input ${quoted(port)}: this module has ${names === '' ? 'no inputs' : `the inputs ${names}`}.`;
      this.#issues.error({ ...location(), path: edges[0]?.place ?? '' }, 'unknown_port', message);
    }
  }

  /** Returns a node of a module as it runs in one use of it. */
  #copyOf(raw: unknown, scope: Scope, place: string): unknown {
    if (!isObject(raw) || typeof raw['id'] !== 'string') return raw;
    const id = `${scope.prefix}${raw['id']}`;
    const data = raw['data'] ?? {};
    if (!isObject(data)) return { ...raw, id };
    const { config } = data;
    const full = `${scope.label}${labelOf(raw)}`;
    const label = full.length > LABEL_MAX ? `…${full.slice(1 - LABEL_MAX)}` : full;
    const disabled = scope.isDisabled || data['disabled'];
    const settings = isObject(config) ? { config: this.#resolved(config, scope, place, id) } : {};
    return {
      ...raw,
      id,
      data: { ...data, label, ...(disabled !== undefined && { disabled }), ...settings },
    };
  }

  /** Returns settings written in a scope, with values in the place of references to parameters of its module. */
  #resolved(config: Json, { use, prefix, level }: Scope, place: string, nodeId: string): Json {
    if (use === null) return config;
    const mentionOf = (all: string, name: string): string => {
      const value = use.values.get(name);
      if (value !== undefined) return referenceIn(value) === null ? String(value) : `{${referenceIn(value)}}`;
      return level.ids.has(name) ? `{${prefix}${name}}` : all;
    };
    const resolved = Object.entries(config).map(([setting, value]) => {
      const name = referenceIn(value);
      if (name !== null) {
        const found = use.values.get(name);
        const fault = faultOfReference(name, found, setting);
        const path = `${place}${pointer('data', 'config', setting)}`;
        if (fault !== null) this.#issues.error({ nodeId, path }, fault.code, fault.message);
        return [setting, found ?? value];
      }
      if (typeof value !== 'string') return [setting, value];
      if (NAMING_SETTINGS.has(setting)) return [setting, `${prefix}${value}`];
      const isText = setting === 'text' && notifyTextProblem(value) === null;
      return [setting, isText ? value.replace(PLACEHOLDER, mentionOf) : value];
    });
    return Object.fromEntries(resolved);
  }

  /** Adds the edges that one of a level becomes: one for each node that it starts from. */
  #addEdges(scope: Scope, edge: RawEdge): void {
    const { level, prefix } = scope;
    const { target, targetHandle, place, raw } = edge;
    if (this.edges.length > EDGES_MAX || this.#steps > STEPS_MAX) return;
    if (level.uses.has(target) || level.outputs.has(target)) {
      this.#steps++;
      return;
    }
    const isInside = isObject(raw) && (scope.use !== null || level.uses.has(edge.source));
    const ends = isInside ? this.#endsOf(scope, edge) : [];
    if (!isInside) this.#push(raw, place, []);
    for (const { id, handle, ports } of ends)
      this.#push(
        { source: id, target: `${prefix}${target}`, sourceHandle: handle, targetHandle },
        place,
        ports,
      );
    if (level.inputs.has(edge.source) && ends.length === 0) this.unfed.add(`${prefix}${target}`);
    if (this.edges.length <= EDGES_MAX && this.#steps <= STEPS_MAX) return;
    const message = `This graph has more than ${EDGES_MAX} edges, as each use of a module has edges of its own. Use fewer modules.`;
    this.#issues.error({ nodeId: null, path: pointer('edges') }, 'too_many_edges', message);
  }

  #push(edge: unknown, place: string, ports: readonly PassedPort[]): void {
    this.edges.push(edge);
    this.edgePlaces.push(place);
    this.edgePorts.push(ports);
  }

  /** Returns the nodes from which an edge comes, however many modules lie between. */
  #endsOf({ level, prefix, use, within }: Scope, { source, sourceHandle, place }: RawEdge): End[] {
    if (++this.#steps > STEPS_MAX) return [];
    const input = level.inputs.get(source);
    if (input !== undefined) {
      const edges = use?.outer.level.into.get(use.id)?.get(source) ?? [];
      return edges.flatMap((edge) =>
        use === null ? [] : this.#endsOf(use.outer, edge).map((end) => passed(end, input)),
      );
    }
    if (!level.uses.has(source)) return [{ id: `${prefix}${source}`, handle: sourceHandle, ports: [] }];
    const inner = within.get(source);
    const output = inner?.level.outputs.get(sourceHandle ?? '');
    if (inner === undefined) return [];
    if (output === undefined) {
      const names = [...inner.level.outputs.keys()].map((name) => `“${name}”`).join(', ');
      const message = `There is no output ${quoted(sourceHandle)}: this module has ${names === '' ? 'no output' : `the outputs ${names}`}.`;
      this.#issues.error({ nodeId: `${prefix}${source}`, path: place }, 'unknown_port', message);
      return [];
    }
    const edges = [...(inner.level.into.get(output.id)?.values() ?? [])].flat();
    return edges.flatMap((edge) => this.#endsOf(inner, edge).map((end) => passed(end, output)));
  }
}

const passed = (end: End, { label, kind }: PassedPort): End => ({
  ...end,
  ports: [...end.ports, { label, kind }],
});
