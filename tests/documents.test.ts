import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS_PAGE, withErrors } from '../docs/write-errors.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'tests/README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
];

/** The names in the one schema that reads the environment. */
const settings = (): string[] => {
  const schema = /const Environment = z\.object\(\{\n(.*?)\n\}\);/s.exec(read('server/config.ts'))?.[1] ?? '';
  return [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name);
};

test('every setting is in the table of the README and in .env.example, and nothing else is', () => {
  const inTable = [...read('README.md').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  );
  const inExample = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(settings().length).toBeGreaterThan(20);
  expect(inTable.toSorted()).toEqual(settings().toSorted());
  expect(inExample.toSorted()).toEqual(settings().toSorted());
});

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file that a document links to exists', () => {
  const broken = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = '']) => path.join(path.dirname(file), target))
      .filter((target) => !existsSync(path.join(ROOT, target)))
      .map((target) => `${file} links to ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the table of errors is that of the code', () => {
  const document = readFileSync(ERRORS_PAGE, 'utf8');
  expect(withErrors(document), 'node docs/write-errors.ts').toBe(document);
});
