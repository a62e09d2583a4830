import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isObject } from '../../engine/strategy/graph/json.ts';
import type { RestRoute } from '../../openapi/routes.ts';
import { withGraph } from './graph-input.ts';
import { withOwnArguments } from './own-arguments.ts';

/** Operations with an example of their input. Few, because a model reads every tool. */
const WITH_EXAMPLE = new Set(['blueprints.create', 'sweeps.start', 'notifications.create']);

/** Operations that reach outside the service: venues, or receivers of notifications. */
const OPEN_WORLD =
  /^(marketData|notifications|portfolio\.close|orders\.(approve|cancel|place)|blueprints\.deploy)/;
/** Idempotent changes. */
const SETTLING = /\.(deploy|stop|stopAll|approve|reject|cancel|cancelImport|setTags|revoke)$/;
/** Changes that only add. */
const ADDING = /\.(create|start|import|test)$/;

export const isReadingRoute = ({ method, promises }: Pick<RestRoute, 'method' | 'promises'>): boolean =>
  method === 'GET' || promises.idempotent === 'effectless';

export function describeTool(route: RestRoute, name: string): Tool {
  const { method, meta, example, input, output } = route;
  const isReading = isReadingRoute(route);
  const request = { ...example.path, ...example.query, ...(example.request as object | undefined) };
  return {
    name,
    title: meta.openapi?.summary ?? route.name,
    description: [
      inToolsWords(meta.openapi?.description ?? ''),
      ...(WITH_EXAMPLE.has(route.name) ? [`Example: ${JSON.stringify(request)}`] : []),
    ].join('\n'),
    inputSchema: withOwnArguments(withGraph(inputSchemaOf(input), route.name === 'blueprints.create'), route),
    outputSchema: outputSchemaOf(output),
    annotations: {
      readOnlyHint: isReading,
      openWorldHint: OPEN_WORLD.test(route.name),
      ...(!isReading && {
        destructiveHint: !ADDING.test(route.name),
        idempotentHint: method === 'PUT' || method === 'DELETE' || SETTLING.test(route.name),
      }),
    },
  };
}

const SENTENCE_END = '. ';
const HEADERS = ['`ETag`', '`If-Match`', '`Link`'];

/** Drops sentences about headers, which a tool does not have. */
const inToolsWords = (description: string): string =>
  description
    .split(SENTENCE_END)
    .filter((sentence) => !HEADERS.some((name) => sentence.includes(name)))
    .join('. ')
    .trim();

/** Deeper settings are listed without descriptions and bounds, which the operation checks. */
const DESCRIBED_DEPTH_MAX = 4;
/** The most fields of an answer in its schema; the answer itself names the rest. */
const NAMED_MAX = 12;

function inputSchemaOf(input: z.ZodObject | null): Tool['inputSchema'] {
  const { $schema: _schema, ...schema } = z.toJSONSchema(input ?? z.strictObject({}), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      // A named format is shorter than its pattern: a model reads every tool.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (path.length > DESCRIBED_DEPTH_MAX) {
        delete jsonSchema.description;
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
      }
      if (jsonSchema.description?.includes('`Link`'))
        jsonSchema.description = '`nextCursor` of the page before.';
    },
  });
  return { ...schema, type: 'object' } as Tool['inputSchema'];
}

/** Returns the names and types of an answer's first fields, one level deep. More would cost a model more than it is worth. */
function outputSchemaOf(output: z.ZodType): NonNullable<Tool['outputSchema']> {
  const { $ref, $defs = {}, ...inline } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const { type, properties = {} } = $defs[$ref?.split('/').at(-1) ?? ''] ?? inline;
  if (type === 'array') {
    const items = { type: 'array', items: { type: 'object' } };
    return { type: 'object', properties: { items, nextCursor: { type: 'string' } }, required: ['items'] };
  }
  const named = Object.entries(properties).slice(0, NAMED_MAX);
  return {
    type: 'object',
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, field]) => [name, shallow(field)])),
    }),
  };
}

const shallow = (field: unknown): object =>
  isObject(field) && typeof field['type'] === 'string' ? { type: field['type'] } : {};
