/** `.strategy` files: read as graphs, checked without the service, formatted and written. */
import { readFile, writeFile } from 'node:fs/promises';
import {
  type Graph,
  type ParsedStrategy,
  parseStrategy,
  type TextError,
  writeStrategy,
} from '../strategy-text/index.ts';
import { type Command, type CommandCall, print, word } from './call.ts';
import { EXIT, type Exit, InvalidTextError, UsageError } from './io.ts';

export const STRATEGY_FILE_COMMANDS: Readonly<Record<string, Command>> = {
  check: {
    takes: 'file',
    usage: 'check <file>',
    does: 'check names, types and wires of a strategy, as text or JSON, without the service; see validate',
    run: check,
  },
  format: {
    takes: 'file',
    usage: 'format <file> [--out <file>]',
    does: 'write a strategy as formatted text',
    run: format,
  },
};

export const isText = (file: string): boolean => file.endsWith('.strategy');

export async function readFileText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
}

type Parsed = Extract<ParsedStrategy, { ok: true }>;

/** Parses the text of a `.strategy` file; throws its errors with their places. */
export function parsedText(text: string, file: string): Parsed {
  const read = parseStrategy(text);
  if (read.ok) return read;
  throw new InvalidTextError(read.errors.map((error) => writtenError(error, file)).join('\n'));
}

const writtenError = ({ line, column, message }: TextError, file: string): string =>
  `${file}:${line}:${column} ${message}`;

/** Parses a file that holds JSON: a graph, or an object with a graph. */
export function parsedJson(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Falls through to the refusal below.
  }
  throw new UsageError(`${file} holds no JSON object.`);
}

/** Writes a graph as text; throws with the part that text cannot say. */
export function writtenText(visual: unknown): string {
  const written = writeStrategy(visual);
  if (written.ok) return written.text;
  throw new InvalidTextError(`${written.message} Write it as JSON.`);
}

async function check(call: CommandCall): Promise<Exit> {
  const file = word(call, 'file');
  const content = await readFileText(file);
  const { nodes } = isText(file) ? (parsedText(content, file).visual as Graph) : graphIn(content, file);
  print(call, { nodes: nodes.length }, () => `${file}: ${nodes.length} nodes, no errors\n`);
  return EXIT.done;
}

/** Returns the graph in JSON, checked as text would be: only the service knows missing inputs and units. */
function graphIn(content: string, file: string): Graph {
  const visual = visualIn(content, file);
  if (!hasNodes(visual)) throw noGraph(file);
  const written = writeStrategy(visual);
  if (!written.ok) throw new InvalidTextError(`${file}: ${written.message}`);
  return visual as Graph;
}

/** A misspelt `visual` must not replace a strategy that runs by an empty one. */
export const hasNodes = (visual: unknown): boolean =>
  typeof visual === 'object' && visual !== null && Array.isArray((visual as { nodes?: unknown }).nodes);

export const noGraph = (file: string): UsageError =>
  new UsageError(`${file} holds no graph: an object with "nodes" and "edges", or one in "visual".`);

async function format(call: CommandCall): Promise<Exit> {
  const file = word(call, 'file');
  const content = await readFileText(file);
  const text = writtenText(isText(file) ? parsedText(content, file).visual : visualIn(content, file));
  const { out } = call.options;
  if (typeof out === 'string') await writeFile(out, text);
  else print(call, { text }, () => text);
  return EXIT.done;
}

function visualIn(content: string, file: string): unknown {
  const read = parsedJson(content, file);
  return read['visual'] ?? read;
}
