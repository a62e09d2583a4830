import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeRows,
  encodeRows,
  PART_BYTES_MAX,
  PartWriter,
  type StoredPart,
} from '../../../../engine/research/backtests/parts.ts';

test('rows leave a part as they entered it', () => {
  const row = fc.record({
    atMs: fc.integer(),
    text: fc.string(),
    none: fc.constant(null),
    of: fc.array(fc.string()),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 50 }), (rows) => {
      expect(decodeRows(encodeRows(rows))).toEqual(rows);
    }),
  );
});

test('parts hold every row once, in order and counted, in whatever batches they arrive', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 8 }), (sizes) => {
      const parts: StoredPart[] = [];
      const writer = new PartWriter((part) => parts.push(part));
      let next = 0;
      for (const size of sizes)
        writer.add(
          'trade',
          Array.from({ length: size }, () => ({ place: next++ })),
        );
      writer.end();
      const rows = parts.flatMap(({ body }) => decodeRows<{ place: number }>(body));
      expect(rows.map(({ place }) => place)).toEqual(Array.from({ length: next }, (_, place) => place));
      expect(parts.map(({ seq }) => seq)).toEqual(parts.map((_, seq) => seq));
      let first = 0;
      for (const part of parts) {
        expect(part.firstRow).toBe(first);
        first += part.rows;
      }
    }),
    { numRuns: 30 },
  );
});

test('a part is never larger than a row of the table may be', () => {
  const parts: StoredPart[] = [];
  const writer = new PartWriter((part) => parts.push(part));
  // Incompressible text: 2 MB of it in one part would be too much.
  const text = () =>
    Array.from({ length: 6_000 }, () => Math.floor(Math.random() * 65_000).toString(36)).join('');
  writer.add(
    'order',
    Array.from({ length: 200 }, () => ({ receipt: text() })),
  );
  writer.end();
  expect(parts.length).toBeGreaterThan(1);
  for (const { body } of parts) expect(body.length).toBeLessThanOrEqual(PART_BYTES_MAX);
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(200);
});
