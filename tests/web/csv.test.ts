import { expect, test } from 'vitest';
import { csvCell } from '../../web/src/format/csv.ts';

test('every text is quoted, whatever divides cells where it is opened', () => {
  for (const text of ['BTCUSDT', 'a;=HYPERLINK("http://evil.example")', 'a,b', 'a\tb', 'a\r\nb', '']) {
    expect(csvCell(text)).toBe(`"${text.replaceAll('"', '""')}"`);
  }
});

test('no text runs as a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\tx', '\r=1', '\n=1'])
    expect(csvCell(text)).toBe(`"'${text}"`);
});

test('a number is a number, and nothing is an empty cell', () => {
  expect([csvCell(-0.5), csvCell(0), csvCell(null)]).toEqual(['-0.5', '0', '']);
});
