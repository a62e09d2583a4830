import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatStrategy, parseStrategy } from '../../../../client/src/strategy-text/index.ts';
import { STRATEGIES, withNodeTable } from '../../../../docs/write-node-table.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { REASON_CODES } from '../../../../engine/strategy/graph/reason-codes.ts';
import { TEMPLATES } from '../../../../engine/strategy/graph/templates/index.ts';
import { NODE_STATUSES } from '../../../../engine/strategy/graph/types.ts';

const page = readFileSync(STRATEGIES, 'utf8');
/** First cells of the tables: statuses and reasons. */
const named = new Set(
  page
    .split('\n')
    .flatMap((line) => [...(/^\| (`[^|]*)\|/.exec(line)?.[1] ?? '').matchAll(/`([a-z_]+)`/g)])
    .map(([, name]) => name),
);

describe('the page on strategies', () => {
  test('has the table of nodes of the catalogue (else: node docs/write-node-table.ts)', () => {
    expect(page).toBe(withNodeTable(page));
  });

  test('explains every status and every reason, and none that does not exist', () => {
    expect([...NODE_STATUSES, ...REASON_CODES].filter((name) => !named.has(name))).toEqual([]);
    const known = new Set<string | undefined>([...NODE_STATUSES, ...REASON_CODES, ...nodeTypes.keys()]);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  test('explains every example by its name, and says what loses money there', () => {
    for (const { name, risk } of TEMPLATES) {
      expect(page).toContain(`\n### ${name}\n`);
      expect(page).toContain(`\n${risk}\n`);
    }
  });

  test('begins with a graph that compiles', () => {
    const drawing: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
    expect(compile(drawing).issues).toEqual([]);
  });

  test('shows texts that are formatted, and compile without an error or a warning', () => {
    const texts = [...page.matchAll(/```strategy\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(texts).toHaveLength(10);
    for (const text of texts) {
      expect(formatStrategy(text)).toEqual({ ok: true, text });
      const read = parseStrategy(text);
      expect(compile(read.ok && read.visual).issues).toEqual([]);
    }
  });
});
