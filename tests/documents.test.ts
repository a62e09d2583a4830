import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { QUICK } from '../bench/support/quick.ts';
import { ERRORS_PAGE, withErrors } from '../docs/write-errors.ts';
import { ENV_EXAMPLE, envExample, SETTINGS_PAGE, settingsPage } from '../docs/write-settings.ts';
import { KIND_NAMES, KINDS } from '../routers/events/event-kinds.ts';
import { readConfig } from '../server/kernel/config.ts';
import { digestsOfPages } from './e2e/support/readme-pictures.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'tests/README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
];

test('the settings are described as the schema says, on their page and in .env.example', () => {
  expect(readFileSync(SETTINGS_PAGE, 'utf8'), 'node docs/write-settings.ts').toBe(settingsPage());
  expect(readFileSync(ENV_EXAMPLE, 'utf8'), 'node docs/write-settings.ts').toBe(envExample());
});

test('what .env.example proposes is taken', () => {
  const proposed = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.+)$/gm)];
  expect(proposed.length).toBeGreaterThan(20);
  expect(() =>
    readConfig(Object.fromEntries(proposed.map(([, name, value]) => [name, value]))),
  ).not.toThrow();
});

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the pictures of the README show the pages as they look now', () => {
  expect(JSON.parse(read('docs/screenshots/pages.json')), 'npm run screenshots').toEqual(digestsOfPages());
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

test('every file that the page of the architecture names exists', () => {
  const named = [
    ...read('docs/architecture.md').matchAll(
      /`((?:bench|db|engine|openapi|routers|server|tests|venues|web)\/[a-z./-]*)`/g,
    ),
  ].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

test('a newcomer reads the README in one sitting', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(200);
});

test('the table of errors is that of the code', () => {
  const document = readFileSync(ERRORS_PAGE, 'utf8');
  expect(withErrors(document), 'node docs/write-errors.ts').toBe(document);
});

test('the guide’s table of events is that of the code', () => {
  const guide = readFileSync('docs/integrators.md', 'utf8');
  const rows = KIND_NAMES.map((kind) => `| \`${kind}\` | \`${KINDS[kind].scope}\` | ${KINDS[kind].tells} |`);
  expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
});

test('each of the 110 ways in which trading with real money goes wrong is the name of a test', () => {
  const files = globSync('tests/{connections,live,orders,server,venues,faults,engine}/**/*.ts', {
    cwd: ROOT,
  });
  // Imports, sweeps and runs over history have rows of their own.
  const trading = files.filter(
    (file) => !/backtest|history|statistics|sweep|parity|past|engine\/(graph|indicators)/.test(file),
  );
  const named = trading.flatMap((file) =>
    [...read(file).matchAll(/['`]rows? ([\d, and]*\d)(?: to (\d+))?[^\d]/g)].flatMap(
      ([, list = '', last]) => {
        const numbers = [...list.matchAll(/\d+/g)].map(([number]) => Number(number));
        const from = numbers.at(-1) ?? 0;
        const more = Math.max(0, Number(last ?? from) - from);
        return [...numbers, ...Array.from({ length: more }, (_, at) => from + 1 + at)];
      },
    ),
  );
  const rows = Array.from({ length: 110 }, (_, at) => at + 1);
  expect(rows.filter((row) => !named.includes(row))).toEqual([]);
});

test('every bench says how it is run in a moment', () => {
  expect(Object.keys(QUICK).sort()).toEqual(globSync('*.ts', { cwd: path.join(ROOT, 'bench') }).sort());
});

test('the index of decisions lists each page once, under its title', () => {
  const pages = globSync('[0-9]*.md', { cwd: path.join(ROOT, 'docs/adr') }).sort();
  const titles = pages.map((page) => {
    const [first = ''] = read(`docs/adr/${page}`).split('\n', 1);
    return `- [${first.replace(/^# /, '')}](${page})`;
  });
  const listed = read('docs/adr/README.md')
    .split('\n')
    .filter((line) => line.startsWith('- ['));
  expect([...listed].sort()).toEqual([...titles].sort());
});

test('the changelog has a line of at most 100 characters for each change, and none twice', () => {
  const lines = read('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(lines.filter((line) => line.length > 102)).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});
