import { z } from 'zod';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { route } from '../route.ts';
import { anyJson, listOf } from '../schemas.ts';

const Output = z.object({
  name: z.string(),
  kind: z.enum(['number', 'boolean']),
  help: z.string(),
  when: z
    .object({ setting: z.string(), in: z.array(z.string()).readonly() })
    .optional()
    .meta({ description: 'The port exists only while this setting has one of these values.' }),
});

const Input = Output.extend({
  required: z.boolean(),
  many: z.boolean().meta({ description: 'Whether several edges may end at this port.' }),
});

export const NodeType = z
  .object({
    type: z.string(),
    group: z.string(),
    title: z.string(),
    help: z.string(),
    inputs: z.array(Input),
    outputs: z.array(Output),
    config: anyJson.meta({ description: 'JSON Schema of the node’s config.' }),
  })
  .meta({ id: 'NodeType', description: 'A kind of node a blueprint can hold.' });

/** One type without inputs, and one whose ports depend on a setting. */
const EXAMPLES = describeCatalogue().filter(({ type }) => type === 'constant' || type === 'memory');

export const nodeTypes = route({
  method: 'GET',
  path: '/api/node-types',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Blueprints',
  summary: 'List node types',
  description: 'The node catalogue: ports, config as JSON Schema, one line of help each.',
  example: { response: EXAMPLES },
  input: z.strictObject({}),
  output: listOf(NodeType),
  resolve: () => describeCatalogue(),
});
