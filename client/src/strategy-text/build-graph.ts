/** Builds the graph of parsed lines: a node of each call, an edge of each input. */
import { bindArguments, type ParameterValues, withValues } from './arguments.ts';
import {
  CONDITION,
  FUNCTIONS,
  isAction,
  type NodeFunction,
  OUTLINES,
  outputKindOf,
  portsOf,
} from './functions.ts';
import { bytesOf, type Fields, type GraphEdge, isFields, NODE_ID_BYTES_MAX, partId } from './graph.ts';
import type { LineLayout } from './layout.ts';
import { didYouMean } from './nearest-name.ts';
import { remedyOfFunction } from './remedies.ts';
import type { Argument, Call, Expression, Statement } from './syntax.ts';
import { TextFault } from './tokens.ts';

export type Binding = Extract<Statement, { kind: 'binding' }>;
/** Position in a text, counted from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

/** A line with a node; `label` is its comment. */
export type BindingLine = {
  readonly id: string;
  readonly binding: Binding;
  readonly label: string | null;
  readonly layout: LineLayout;
  readonly line: number;
};

type BuiltNode = { readonly function: NodeFunction; readonly settings: Fields };
type BuiltEdge = { readonly edge: GraphEdge; readonly at: TextPosition };

export class GraphBuilder {
  readonly nodes: Fields[] = [];
  readonly positions = new Map<string, TextPosition>();
  readonly #built = new Map<string, BuiltNode>();
  readonly #edges: BuiltEdge[] = [];
  readonly #parameters: ParameterValues;
  readonly #names: ReadonlySet<string>;

  /** @param names of all lines: a line may read the nodes of later ones */
  constructor(parameters: ParameterValues, names: ReadonlySet<string>) {
    this.#parameters = parameters;
    this.#names = names;
  }

  get edges(): readonly GraphEdge[] {
    return this.#edges.map(({ edge }) => edge);
  }

  /** Adds the node of a line, after its parts. */
  addLine({ id, binding, label, layout, line }: BindingLine): void {
    const { isOff, when, expression } = binding;
    const data = { ...(label !== null && { label }), ...(isOff && { disabled: true }) };
    if (!(expression.kind === 'name' && this.#names.has(expression.name))) this.#refuseUnknown(expression);
    const call = callOf(expression, this.#names);
    const condition = when === null ? [] : [conditionOf(when, call)];
    const withCondition = { ...call, arguments: [...call.arguments, ...condition] };
    this.#add(id, withCondition, { layout, line, data });
  }

  /** Returns the faults of edges between ports of different kinds, which all nodes must be known for. */
  *mismatches(): Generator<TextFault & { line: number }> {
    for (const { edge, at } of this.#edges) {
      const kind = this.#kindOf(edge.source);
      const port = this.#portsOf(edge.target).find(({ name }) => name === edge.targetHandle);
      if (port === undefined || kind === port.kind) continue;
      const gives = kind === null ? 'nothing' : KINDS[kind];
      const message = `“${edge.source}” gives ${gives}, but “${port.name}” of “${edge.target}” takes ${KINDS[port.kind]}.${kind === null ? '' : remedyOfKind(edge.source, port.kind)}`;
      yield Object.assign(new TextFault('kind_mismatch', at.column, message), { line: at.line });
    }
  }

  #kindOf(id: string) {
    const built = this.#built.get(id);
    if (built === undefined) return null;
    return outputKindOf(built.function.node, withValues(built.settings, this.#parameters));
  }

  #portsOf(id: string) {
    const built = this.#built.get(id);
    return built === undefined
      ? []
      : portsOf(built.function.node, withValues(built.settings, this.#parameters));
  }

  #add(id: string, call: Call, own: { layout: LineLayout; line: number; data?: Fields }): void {
    const { layout, line } = own;
    if (bytesOf(id) > NODE_ID_BYTES_MAX)
      throw new TextFault(
        'too_deep',
        call.column,
        `“${id.slice(0, 40)}…” is longer than ${NODE_ID_BYTES_MAX} bytes. Give this part a short name on a line of its own.`,
      );
    if (this.#built.has(id))
      throw new TextFault(
        'name_taken',
        call.column,
        `Another node is called “${id}”, too. Choose another name.`,
      );
    const found = functionOfCall(call);
    const { settings, inputs } = bindArguments(found, call.arguments, this.#parameters);
    this.#built.set(id, { function: found, settings });
    const counts = new Map<string, number>();
    const sources = inputs.map(({ port, value }) => {
      const index = counts.get(port) ?? 0;
      counts.set(port, index + 1);
      return { port, value, source: this.#sourceOf(value, partId(id, port, index), layout, line) };
    });
    const repeats = new Map<string, number>();
    for (const { port, value, source } of sources) {
      // As the builder and the editor call it, with a number if the same two ports are connected again.
      const name = `${source}-${id}-${port}`;
      const repeat = (repeats.get(name) ?? 0) + 1;
      repeats.set(name, repeat);
      const edge = {
        id: repeat === 1 ? name : `${name}${repeat}`,
        source,
        sourceHandle: 'out',
        target: id,
        targetHandle: port,
      } as const;
      this.#edges.push({ edge, at: { line, column: value.column } });
    }
    this.positions.set(id, { line, column: call.column });
    const fields = own.data === undefined ? (layout.parts[id] ?? {}) : layout.fields;
    this.nodes.push(nodeOf(id, found, settings, own.data ?? {}, fields));
  }

  /** @throws TextFault for a name of no parameter; the caller has looked among the lines. */
  #refuseUnknown(value: Expression): void {
    if (value.kind !== 'name' || this.#parameters.has(value.name)) return;
    const { name, column } = value;
    const isDifference = name.includes('-');
    const remedy = isDifference
      ? ' To subtract, write spaces around “-”.'
      : didYouMean(name, [...this.#names, ...this.#parameters.keys()]) ||
        ` Write a line “${name.slice(0, 40)} = …”.`;
    throw new TextFault(
      'unknown_name',
      column,
      `There is no line and no parameter “${name.slice(0, 60)}”.${remedy}`,
    );
  }

  /** Returns the id of the node that an input reads: one by its name, or a part, which is added. */
  #sourceOf(value: Expression, id: string, layout: LineLayout, line: number): string {
    if (value.kind === 'name' && this.#names.has(value.name)) return value.name;
    this.#refuseUnknown(value);
    this.#add(id, callOf(value, this.#names), { layout, line });
    return id;
  }
}

const KINDS = { number: 'a number', boolean: 'true or false' } as const;

/** Says how to make the kind that a port takes; a part without a name is “…”. */
function remedyOfKind(source: string, wanted: keyof typeof KINDS): string {
  const value = source.includes('.') ? '…' : source;
  return wanted === 'number' ? ` Write number(${value}) for 1 or 0.` : ` Compare it, as in ${value} > 0.`;
}

/** Returns the call that an expression stands for: a number and a parameter are constants. */
function callOf(expression: Expression, names: ReadonlySet<string>): Call {
  if (expression.kind === 'call') return expression;
  const { column } = expression;
  if (expression.kind === 'name' && names.has(expression.name))
    throw new TextFault(
      'unexpected',
      column,
      `“${expression.name}” has a name already. A line is a call, an expression or a number.`,
    );
  if (expression.kind === 'literal' && typeof expression.value !== 'number')
    throw new TextFault(
      'bad_value',
      column,
      `A value is a number here, not ${JSON.stringify(expression.value).slice(0, 40)}: texts, lists, true and false are settings.`,
    );
  const value: Argument = { name: 'value', value: expression, column };
  return { kind: 'call', word: 'constant', op: null, arguments: [value], column };
}

function conditionOf(when: Expression, call: Call): Argument {
  if (isAction(functionOfCall(call).node)) return { name: CONDITION, value: when, column: when.column };
  throw new TextFault('unexpected', when.column, `“${call.word}” is no action: only an action has “when”.`);
}

function functionOfCall({ word, op, column }: Call): NodeFunction {
  const node = op === null ? undefined : OUTLINES.get(word);
  if (node !== undefined && op !== null) return { name: word, node, chosen: { op } };
  const found = FUNCTIONS.get(word);
  if (found !== undefined) return found;
  const message = `There is no function “${word.slice(0, 60)}”.${remedyOfFunction(word, FUNCTIONS.keys())}`;
  throw new TextFault('unknown_function', column, message);
}

function nodeOf(id: string, { node }: NodeFunction, config: Fields, data: Fields, fields: Fields): Fields {
  const { data: more, ...others } = fields;
  return { ...others, id, type: node.type, data: { ...(isFields(more) && more), ...data, config } };
}
