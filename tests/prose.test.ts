import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findBroken } from '../tools/prose/find.ts';

const ROOT = path.join(import.meta.dirname, '..');
const broken = (text: string, file = 'a.ts'): string[] =>
  findBroken(file, text).map(({ line, what }) => `${line}: ${what}`);

test('a word of no field is found in comments, messages and pages, with its line', () => {
  expect(broken('// one\n// Reports to somebody.\nconst a = 1;')).toEqual(['2: "somebody"']);
  expect(broken("\nthrow new Error('Nobody is here');")).toEqual(['2: "Nobody"']);
  expect(broken(`const a = \`It goes on \${b}\`;`)).toEqual(['1: "goes on"']);
  expect(broken('# Page\n\nEach is told of it.', 'docs/a.md')).toEqual(['3: "told"']);
});

test('a word in code, in a code span or in a block of code is no prose', () => {
  expect(broken("const nobody = 'nobody';")).toEqual([]);
  expect(broken('/** Returns `told`. */')).toEqual([]);
  expect(broken('```\ntold\n```', 'a.md')).toEqual([]);
});

test('a comment begins with a verb or a name', () => {
  expect(broken('/** Returns the price. */')).toEqual([]);
  expect(broken('/** What it costs. */')).toEqual(['1: a comment that begins with "What"']);
});

test('a sentence has at most 20 words', () => {
  const words = (count: number): string => `Returns ${'x '.repeat(count - 2)}end.`;
  expect(broken(`// ${words(20)} ${words(20)}`)).toEqual([]);
  expect(broken(`// ${words(21)}`)).toHaveLength(1);
});

test('a name of no field is found wherever it is an identifier', () => {
  expect(broken('const worstFee = 1;')).toEqual(['1: the name "worstFee"']);
  expect(broken('const worstFees = 1;')).toEqual([]);
});

test('a field that is stored or sent keeps its name where it is read or written, and nowhere else', () => {
  expect(broken('preview.worstFee', 'engine/usecases/risk-rules/preview.ts')).toEqual([]);
  expect(broken('preview.worstFee', 'engine/risk/draft.ts')).toEqual(['1: the name "worstFee"']);
});

test('every file and table that the glossary names exists', () => {
  const glossary = readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8');
  const schema = JSON.parse(readFileSync(path.join(ROOT, 'db/migrations/.snapshot.json'), 'utf8')) as {
    tables: { name: string }[];
  };
  const stored = new Set(schema.tables.map(({ name }) => name));
  const files = [...glossary.matchAll(/`([a-z]+\/[a-z./-]*)`/g)].map(([, file = '']) => file);
  const tables = [...glossary.matchAll(/tables? (`[a-z_]+`(?:, `[a-z_]+`)*)/g)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );
  expect(files.length).toBeGreaterThan(40);
  expect(tables.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(tables.filter((table) => !stored.has(table))).toEqual([]);
});
