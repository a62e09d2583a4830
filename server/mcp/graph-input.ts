import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { graphInText, isObject } from '../../engine/strategy/graph/json.ts';
import { nodeTypes } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { invalidRequest } from '../../routers/errors.ts';

const named = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

const NODE = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: { enum: [...nodeTypes.keys()] },
    data: { type: 'object', properties: { config: { type: 'object' } } },
  },
  required: ['id', 'type'],
};
const EDGE = {
  type: 'object',
  properties: named(['source', 'sourceHandle', 'target', 'targetHandle']),
  required: ['source', 'target'],
};

/** Schema of the graph that a tool takes. REST takes any JSON value; without a type, models send text. */
const graphSchema = (isDetailed: boolean) => ({
  type: ['object', 'null'],
  description: isDetailed
    ? 'The graph. Settings of a node stand in `data.config`.'
    : 'As of blueprints_create.',
  properties: {
    nodes: { type: 'array', items: isDetailed ? NODE : { type: 'object' } },
    edges: { type: 'array', items: isDetailed ? EDGE : { type: 'object' } },
  },
  required: ['nodes'],
});

/** Adds a description of the graph to a tool's schema. Only one tool has the detailed one, because a model reads every tool. */
export function withGraph(schema: Tool['inputSchema'], isDetailed: boolean): Tool['inputSchema'] {
  const { properties } = schema;
  return properties !== undefined && 'visual' in properties
    ? { ...schema, properties: { ...properties, visual: graphSchema(isDetailed) } }
    : schema;
}

/** Parses a graph that was sent as text: stored as text it would execute nothing. */
export function parseGraph(input: unknown): unknown {
  if (!isObject(input)) return input ?? {};
  const { visual } = input;
  if (visual === null || visual === undefined) return input;
  const graph = typeof visual === 'string' ? graphInText(visual) : visual;
  if (isObject(graph) && 'nodes' in graph) return { ...input, visual: graph };
  const message = 'must be an object with "nodes" and "edges", as the guide strategies shows (guides_read)';
  throw invalidRequest([{ path: '/visual', code: 'invalid_type', message }]);
}
