import type { Json } from '../../../../db/json.ts';

/** Bounds of one graph. */
export const GRAPH_BYTES_MAX = 256 * 1024;
export const GRAPH_DEPTH_MAX = 64;
const ISSUES_MAX = 20;

export type GraphProblem = { path: string[]; message: string };

/**
 * Finds reasons why a JSON value cannot be stored exactly as it was sent:
 * - nesting past 64,
 * - text PostgreSQL refuses or changes (NUL, lone surrogates),
 * - an own key `__proto__`,
 * - numbers that JSON or a double would silently alter.
 *
 * Walks with a list instead of recursion, so that no nesting overflows the stack. A position is a link to its parent,
 * so that a value costs the same at any depth.
 */
export function graphProblems(graph: unknown): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const rest: JsonPosition[] = [{ value: graph, key: '', above: null, depth: 0 }];
  for (let position = rest.pop(); position && problems.length < ISSUES_MAX; position = rest.pop()) {
    const { value, depth } = position;
    const problem = scalarProblem(value);
    if (problem) problems.push({ path: pathOf(position), message: problem });
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= GRAPH_DEPTH_MAX) {
      const message = `is nested deeper than ${GRAPH_DEPTH_MAX} levels`;
      problems.push({ path: pathOf(position).slice(0, 3), message });
      break;
    }
    for (const key of Object.keys(value)) {
      const keyProblem = Array.isArray(value) ? null : keyProblemOf(key);
      if (keyProblem && problems.length < ISSUES_MAX)
        problems.push({ path: pathOf(position), message: keyProblem });
      rest.push({ value: (value as Record<string, unknown>)[key], key, above: position, depth: depth + 1 });
    }
  }
  return problems;
}

type JsonPosition = { value: unknown; key: string; above: JsonPosition | null; depth: number };

function pathOf(position: JsonPosition): string[] {
  const path: string[] = [];
  for (let { key, above } = position; above; { key, above } = above) path.unshift(key);
  return path;
}

function scalarProblem(value: unknown): string | null {
  if (typeof value === 'string') return textProblem(value, 'text');
  if (typeof value !== 'number') return null;
  if (!Number.isFinite(value)) return 'holds a number too large for a double; send it as text';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return `holds the integer ${value}, which a double cannot keep exactly; send it as text`;
  }
  return null;
}

function keyProblemOf(key: string): string | null {
  if (key === '__proto__') return 'has a key "__proto__", which is not allowed';
  return textProblem(key, 'a key');
}

function textProblem(text: string, what: string): string | null {
  if (text.includes('\u0000')) return `holds ${what} with a NUL character`;
  if (!text.isWellFormed()) return `holds ${what} with half of a surrogate pair`;
  return null;
}

/** Size of a graph as JSON in UTF-8, bytes. Null counts 0. */
export const graphBytesOf = (graph: Json): number =>
  graph === null ? 0 : Buffer.byteLength(JSON.stringify(graph));
