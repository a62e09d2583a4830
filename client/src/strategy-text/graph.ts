/** The graph of a strategy, as JSON: what text is compiled to and written from. */

export type Fields = Readonly<Record<string, unknown>>;

export type Graph = {
  readonly nodes: readonly Fields[];
  readonly edges: readonly GraphEdge[];
  readonly parameters?: Fields;
  readonly [more: string]: unknown;
};
export type GraphEdge = {
  readonly id: string;
  readonly source: string;
  readonly sourceHandle: 'out';
  readonly target: string;
  readonly targetHandle: string;
};

/** Node types that are drawn and not executed. */
export const ANNOTATIONS: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'default',
  'input',
  'output',
  'group',
  'note',
]);

/** Fields of a list that is a series, in the order of the text form. */
export const SERIES_FIELDS = ['series', 'venue', 'outcome'] as const;

/** Bytes of a text, and of a graph written as text. */
export const TEXT_BYTES_MAX = 262_144;
export const NODE_ID_BYTES_MAX = 64;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns the id of a part without a name: that of the node it feeds, the port, and a number from the second on. */
export const partId = (target: string, port: string, index: number): string =>
  `${target}.${port}${index === 0 ? '' : index + 1}`;
