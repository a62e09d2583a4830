/** Compiles the text form of a strategy to its graph. */
import { type Binding, type BindingLine, GraphBuilder, type TextPosition } from './build-graph.ts';
import { ANNOTATIONS, bytesOf, type Fields, type Graph, TEXT_BYTES_MAX } from './graph.ts';
import { layoutOf, objectIn } from './layout.ts';
import { type Parameter, parseStatement } from './syntax.ts';
import { type FaultCode, TextFault, type TokenLine, tokenize } from './tokens.ts';

/** A mistake in a text, with its place counted from 1. */
export type TextError = TextPosition & { readonly code: FaultCode; readonly message: string };

export type ParsedStrategy =
  | {
      readonly ok: true;
      readonly visual: Graph;
      /** Where each node is in the text, by its id. */
      readonly positions: ReadonlyMap<string, TextPosition>;
    }
  | { readonly ok: false; readonly errors: readonly TextError[] };

const ERRORS_MAX = 20;
const LINES_MAX = 5_000;
/** Lines that hold JSON as it is: a node that is not executed, and fields of the whole graph. */
const STORED = { node: /^node (\{.*\})$/s, graph: /^graph (\{.*\})$/s } as const;

/**
 * Compiles text of up to 256 KiB and 5,000 lines. Never throws: lists up to 20 errors, one a line. Values of settings are
 * checked by the service alone.
 */
export function parseStrategy(text: string): ParsedStrategy {
  if (text.length > TEXT_BYTES_MAX || bytesOf(text) > TEXT_BYTES_MAX)
    return failed([
      { line: 1, column: 1, code: 'too_long', message: `A text has at most ${TEXT_BYTES_MAX} bytes.` },
    ]);
  // Editors of Windows begin a file with a byte order mark.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (lines.length > LINES_MAX)
    return failed([
      { line: LINES_MAX + 1, column: 1, code: 'too_long', message: `A text has at most ${LINES_MAX} lines.` },
    ]);
  return new Parser().parse(lines);
}

const failed = (errors: readonly TextError[]): ParsedStrategy => ({ ok: false, errors });

type ReadLine =
  | { readonly kind: 'node'; readonly fields: Fields }
  | ({ readonly kind: 'binding' } & Omit<BindingLine, 'id'>);

class Parser {
  readonly #errors: TextError[] = [];
  readonly #parameters = new Map<string, Parameter>();
  readonly #lines: ReadLine[] = [];
  readonly #names = new Set<string>();
  readonly #unnamed = new Map<string, number>();
  #notes = 0;
  #rest: Fields = {};
  /** Lines of the note that is being read. */
  #note: string[] = [];
  #noteFields: Fields = {};

  parse(lines: readonly string[]): ParsedStrategy {
    for (const [index, line] of lines.entries()) {
      this.#try(index + 1, () => this.#read(line.replace(/\r$/, ''), index + 1));
      if (this.#errors.length >= ERRORS_MAX) return failed(this.#errors);
    }
    this.#endNote();
    const ids = this.#lines.map((each) => (each.kind === 'node' ? null : this.#idOf(each.binding)));
    for (const id of ids) if (id !== null) this.#names.add(id);
    const values = new Map([...this.#parameters].map(([name, { value }]) => [name, value]));
    const builder = new GraphBuilder(values, this.#names);
    for (const [index, each] of this.#lines.entries()) {
      if (this.#errors.length >= ERRORS_MAX) break;
      if (each.kind === 'node') builder.nodes.push(each.fields);
      else this.#try(each.line, () => builder.addLine({ ...each, id: ids[index] ?? '' }));
    }
    // After an error, nodes may be missing that others read.
    if (this.#errors.length > 0) return failed(this.#errors);
    for (const fault of builder.mismatches()) {
      if (this.#errors.length < ERRORS_MAX) this.#report(fault, fault.line);
    }
    if (this.#errors.length > 0) return failed(this.#errors);
    const parameters = this.#parameters.size > 0 && { parameters: Object.fromEntries(this.#parameters) };
    const { nodes, edges, positions } = builder;
    return { ok: true, visual: { ...this.#rest, ...parameters, nodes, edges }, positions };
  }

  #try(line: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      this.#report(error, line);
    }
  }

  #report({ code, column, message }: TextFault, line: number): void {
    this.#errors.push({ line, column, code, message });
  }

  #read(text: string, line: number): void {
    const read = tokenize(text);
    if (read.tokens.length === 1) this.#readComment(read);
    else this.#readStatement(read, line);
  }

  /** A comment on lines of its own is a note on the canvas. */
  #readComment(read: TokenLine): void {
    const { comment, layout, layoutColumn } = read;
    if (comment !== null) this.#note.push(comment);
    if (layout === null) {
      if (comment === null) this.#endNote();
      return;
    }
    if (comment !== null) {
      this.#noteFields = layoutOf(read).fields;
      this.#endNote();
      return;
    }
    this.#endNote();
    const [, node] = STORED.node.exec(layout) ?? [];
    const [, graph] = STORED.graph.exec(layout) ?? [];
    if (node !== undefined) this.#addStored(objectIn(node, layoutColumn), layoutColumn);
    else if (graph !== undefined) this.#rest = objectIn(graph, layoutColumn);
    else
      throw new TextFault('bad_layout', layoutColumn, 'A line of layout holds “node” or “graph”, and JSON.');
  }

  #addStored(fields: Fields, column: number): void {
    if (!ANNOTATIONS.has(fields['type']))
      throw new TextFault('bad_layout', column, 'A node that is executed is written as a call.');
    this.#lines.push({ kind: 'node', fields });
  }

  #endNote(): void {
    if (this.#note.length === 0) return;
    const label = this.#note.join('\n');
    const id = unnamedId('note', ++this.#notes);
    const { data, ...others } = this.#noteFields;
    const more = typeof data === 'object' ? data : {};
    this.#lines.push({ kind: 'node', fields: { id, ...others, type: 'note', data: { ...more, label } } });
    this.#note = [];
    this.#noteFields = {};
  }

  #readStatement(read: TokenLine, line: number): void {
    this.#endNote();
    const { tokens, comment } = read;
    const statement = parseStatement(tokens);
    const { column } = statement;
    if (statement.kind === 'parameter') {
      if (comment !== null || read.layout !== null)
        throw new TextFault('unexpected', column, 'Write the sentence of a parameter in quotes, at its end.');
      if (this.#parameters.has(statement.name))
        throw new TextFault(
          'name_taken',
          column,
          `Another parameter is called “${statement.name.slice(0, 60)}”, too. Choose another name.`,
        );
      this.#parameters.set(statement.name, statement.parameter);
      return;
    }
    const { name } = statement;
    if (name !== null && this.#names.has(name))
      throw new TextFault(
        'name_taken',
        column,
        `Another line is called “${name.slice(0, 60)}”, too. Choose another name: a line has one value.`,
      );
    if (name !== null) this.#names.add(name);
    this.#lines.push({ kind: 'binding', binding: statement, label: comment, layout: layoutOf(read), line });
  }

  /** Returns the id of a line: its name, or its word, with a number from the second on. */
  #idOf(binding: Binding): string {
    if (binding.name !== null) return binding.name;
    const word = wordOf(binding);
    const count = nextCount(word, this.#unnamed.get(word) ?? 0, (id) => this.#names.has(id));
    this.#unnamed.set(word, count);
    return unnamedId(word, count);
  }
}

/** Returns the number of the next line without a name whose id is free. */
export function nextCount(word: string, last: number, isTaken: (id: string) => boolean): number {
  let count = last + 1;
  while (isTaken(unnamedId(word, count))) count++;
  return count;
}

export const unnamedId = (word: string, count: number): string => (count === 1 ? word : `${word}${count}`);

function wordOf({ expression }: Binding): string {
  return expression.kind === 'call' ? expression.word : 'constant';
}
