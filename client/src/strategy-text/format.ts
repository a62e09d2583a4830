/** Writes a graph as text, such that `parseStrategy` reads the same graph. */
import { RESERVED } from './functions.ts';
import { bytesOf, type Fields, isFields, SERIES_FIELDS, TEXT_BYTES_MAX } from './graph.ts';
import { writtenLayout } from './layout.ts';
import { nextCount, parseStrategy, type TextError, unnamedId } from './parse.ts';
import { type GraphNode, isAnnotation, type ReadGraph, readGraph, Unwritable } from './read-graph.ts';
import { LAYOUT_MARK, writtenName, writtenText } from './tokens.ts';
import { type WrittenCall, writeCall, writtenLiteral } from './write-call.ts';

export type WrittenStrategy =
  | { readonly ok: true; readonly text: string }
  /** The graph has a part that text cannot say; the message names it. */
  | { readonly ok: false; readonly message: string };

/** Writes a graph as text of up to 256 KiB. Never throws. */
export function writeStrategy(visual: unknown): WrittenStrategy {
  try {
    const text = textOf(readGraph(visual));
    if (bytesOf(text) > TEXT_BYTES_MAX) return { ok: false, message: 'The graph is too large for a text.' };
    const read = parseStrategy(text);
    if (read.ok) return { ok: true, text };
    return { ok: false, message: read.errors.map(({ message }) => message).join(' ') };
  } catch (error) {
    if (error instanceof Unwritable) return { ok: false, message: error.message };
    // JSON of more levels than there is stack for.
    if (error instanceof RangeError) return { ok: false, message: 'The graph is too deep for a text.' };
    throw error;
  }
}

export type FormattedStrategy =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly errors: readonly TextError[] };

/** Formats text: spaces, blank lines, order of arguments. Formatted text stays as it is, byte for byte. */
export function formatStrategy(text: string): FormattedStrategy {
  const read = parseStrategy(text);
  if (!read.ok) return read;
  const written = writeStrategy(read.visual);
  if (written.ok) return written;
  return { ok: false, errors: [{ line: 1, column: 1, code: 'bad_layout', message: written.message }] };
}

function textOf(graph: ReadGraph): string {
  const parameters = Object.entries(graph.parameters).map(writtenParameter);
  const rest =
    Object.keys(graph.rest).length > 0 ? [`${LAYOUT_MARK} graph ${JSON.stringify(graph.rest)}`] : [];
  const blocks = [parameters, linesOf(graph), rest].filter((lines) => lines.length > 0);
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function writtenParameter([name, parameter]: [string, unknown]): string {
  const { value, min, max, unit, help, ...others } = isFields(parameter) ? parameter : {};
  const isKnown = isFields(parameter) && Object.keys(others).length === 0;
  const isText = [unit, help].every((each) => each === undefined || typeof each === 'string');
  if (!isKnown || !isText || /\p{Cc}/u.test(String(unit)))
    throw new Unwritable(`The parameter ${JSON.stringify(name)} is not a valid one.`);
  const bound = (each: unknown): string => (each === undefined ? '' : writtenLiteral(each, name));
  return [
    `param ${writtenName(name, RESERVED)} = ${writtenSeries(value) ?? writtenLiteral(value, name)}`,
    ...(min === undefined && max === undefined ? [] : [`in ${bound(min)}..${bound(max)}`]),
    ...(unit === undefined ? [] : [writtenName(String(unit), RESERVED)]),
    ...(help === undefined ? [] : [JSON.stringify(help)]),
  ].join(' ');
}

/** Writes a list that is a series of markets; null for another value. */
function writtenSeries(value: unknown): string | null {
  if (!isFields(value) || Object.keys(value).length !== SERIES_FIELDS.length) return null;
  const texts = SERIES_FIELDS.map((field) => value[field]).filter((each) => typeof each === 'string');
  return texts.length === SERIES_FIELDS.length ? `series(${texts.map(writtenText).join(', ')})` : null;
}

/** Counts lines without a name by their word, as the parser does. */
type UnnamedCounts = Map<string, number>;

function linesOf(graph: ReadGraph): string[] {
  const counts: UnnamedCounts = new Map();
  const calls = callsOf(graph);
  const names = new Set(calls.map(({ index }) => idAt(graph, index)));
  return calls.flatMap(({ index, call }, place) => {
    const node = graph.nodes[index];
    if (node === undefined) return [];
    if (isAnnotation(node)) return writtenAnnotation(node.annotation, place === 0, counts);
    return call === null ? [] : [writtenLine({ names, ...graph }, node, call, counts)];
  });
}

function idAt({ nodes }: ReadGraph, index: number): string | null {
  const node = nodes[index];
  return node === undefined || isAnnotation(node) ? null : node.id;
}

type Line = { readonly index: number; readonly call: WrittenCall | null };

/** Returns the nodes with lines of their own; the others are parts of these. */
function callsOf(graph: ReadGraph): Line[] {
  const lines: Line[] = [];
  for (let index = graph.nodes.length - 1; index >= 0; ) {
    const node = graph.nodes[index];
    const call = node === undefined || isAnnotation(node) ? null : writeCall(graph, index);
    lines.push({ index, call });
    index = (call?.first ?? index) - 1;
  }
  return lines.reverse();
}

/** @property names ids of all lines */
type NamedGraph = ReadGraph & { readonly names: ReadonlySet<string | null> };

function writtenLine(graph: NamedGraph, node: GraphNode, call: WrittenCall, counts: UnnamedCounts): string {
  const { word } = call;
  const isTaken = (id: string): boolean => id !== node.id && graph.names.has(id);
  const count = nextCount(word ?? '', counts.get(word ?? '') ?? 0, isTaken);
  const isUnnamed = word !== null && !graph.readers.has(node.id) && node.id === unnamedId(word, count);
  if (isUnnamed) counts.set(word, count);
  const name = isUnnamed ? '' : `${writtenName(node.id, RESERVED)} = `;
  const isPlain = isPlainText(node.label);
  const parts = call.parts.map((part) => [part.id, fieldsWithLabel(part)] as const);
  const layout = writtenLayout(
    isPlain ? node.others : fieldsWithLabel(node),
    Object.fromEntries(parts.filter(([, fields]) => Object.keys(fields).length > 0)),
  );
  return [
    `${node.isOff ? 'off ' : ''}${name}${call.text}`,
    ...(isPlain ? [`// ${node.label}`] : []),
    ...(layout === '' ? [] : [`${LAYOUT_MARK} ${layout}`]),
  ].join(' ');
}

function fieldsWithLabel({ others, label }: GraphNode): Fields {
  if (label === undefined) return others;
  const data = isFields(others['data']) ? others['data'] : {};
  return { ...others, data: { ...data, label } };
}

/** A note is a comment on lines of its own; other annotations, and notes that a comment cannot say, are JSON. */
function writtenAnnotation(annotation: Fields, isFirst: boolean, counts: UnnamedCounts): string[] {
  const blank = isFirst ? [] : [''];
  const { id, type, data, ...others } = annotation;
  const { label, ...more } = isFields(data) ? data : {};
  const lines = typeof label === 'string' ? label.split('\n') : [];
  const isNote = type === 'note' && typeof id === 'string' && lines.length > 0 && lines.every(isPlainText);
  if (!isNote) return [...blank, `${LAYOUT_MARK} node ${JSON.stringify(annotation)}`];
  const count = (counts.get('note') ?? 0) + 1;
  counts.set('note', count);
  const layout = writtenLayout({
    ...others,
    ...(id !== unnamedId('note', count) && { id }),
    ...(Object.keys(more).length > 0 && { data: more }),
  });
  const comments = lines.map((line) => `// ${line}`);
  const last = comments.pop() ?? '';
  return [...blank, ...comments, layout === '' ? last : `${last} ${LAYOUT_MARK} ${layout}`];
}

/** Whether a comment can hold a text as it is. */
function isPlainText(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text !== '' &&
    text === text.trim() &&
    !/[\p{Cc}\p{Cs}]/u.test(text) &&
    !text.includes(LAYOUT_MARK)
  );
}
