import { describe, expect, test } from 'vitest';
import { describeCatalogue } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { GROUPS } from '../../../../engine/strategy/graph/nodes/node.ts';

type Schema = {
  description?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  additionalProperties?: unknown;
};

const catalogue = describeCatalogue();
const variantsOf = (schema: Schema) => schema.oneOf ?? [schema];

describe('the node catalogue', () => {
  test('holds every node type of the language, each once', () => {
    expect(catalogue.map(({ type }) => type)).toEqual([
      'market.price',
      'market.book',
      'market.info',
      'crypto.price',
      'crypto.candle',
      'position',
      'account',
      'order.result',
      'schedule',
      'signal',
      'constant',
      'indicator',
      'correlation',
      'math',
      'lag',
      'select',
      'fallback',
      'number',
      'count',
      'since',
      'aggregate',
      'weight',
      'probability.edge',
      'compare',
      'top',
      'logic',
      'hold',
      'memory',
      'cooldown',
      'once',
      'pulse',
      'guard',
      'size',
      'order',
      'quote',
      'leg',
      'close',
      'target',
      'exit',
      'notify',
    ]);
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue);
  });

  test.each(catalogue.map((node) => [node.type, node] as const))(
    '%s: every text that an editor shows exists',
    (_, node) => {
      expect(GROUPS).toContain(node.group);
      expect(node.title).not.toBe('');
      expect(node.help).toMatch(/\.$/);
      expect(node.config).toHaveProperty('x-unknown', expect.stringMatching(/\.$/));
      for (const port of [...node.inputs, ...node.outputs]) expect(port.help).toMatch(/\.$/);
      for (const variant of variantsOf(node.config as Schema)) {
        expect(variant.additionalProperties).toBe(false);
        for (const [name, setting] of Object.entries(variant.properties ?? {}))
          expect(setting.description, `${node.type}.${name}`).toMatch(/[.:]$|^[^.]+$/);
      }
    },
  );

  test('a port that depends on a setting names an existing setting, with values it has', () => {
    for (const { type, inputs, outputs, config } of catalogue) {
      const schema = JSON.stringify(config);
      for (const { when } of [...inputs, ...outputs]) {
        if (when === undefined) continue;
        expect(schema, type).toContain(`"${when.setting}"`);
        for (const value of when.in) expect(schema, type).toContain(`"${value}"`);
      }
    }
  });
});
