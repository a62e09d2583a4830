import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const WEB = path.join(import.meta.dirname, '../../web/src');
const read = (file: string) => readFileSync(path.join(WEB, file), 'utf8');

/** Classes with which rules of a stylesheet begin: they style an element wherever it is. */
const ownedBy = (css: string): string[] => [
  ...new Set(
    [...css.matchAll(/(?:^|[},])\s*\.([a-z][\w-]*)/g)].flatMap(([, name]) =>
      name === undefined ? [] : [name],
    ),
  ),
];

/** Words of every class attribute, also those chosen by a condition. */
const usedIn = (tsx: string): string[] =>
  [...tsx.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, text = '', code = '']) =>
    `${text} ${[...code.matchAll(/['"`]([^'"`]*)['"`]/g)].map(([, words]) => words).join(' ')}`.split(/\s+/),
  );

test('a stylesheet that comes with one page styles nothing of another', () => {
  const sheets = globSync('{pages,editor}/**/*.css', { cwd: WEB });
  expect(sheets.length).toBeGreaterThan(0);
  for (const sheet of sheets) {
    const own = path.dirname(sheet);
    const elsewhere = new Set(
      globSync('**/*.tsx', { cwd: WEB })
        .filter((file) => !file.startsWith(own))
        .flatMap((file) => usedIn(read(file))),
    );
    expect(
      ownedBy(read(sheet)).filter((name) => elsewhere.has(name)),
      sheet,
    ).toEqual([]);
  }
});

test('modules that decide and word import no view, so that they are tested without a page', () => {
  const pure = globSync(
    '{format/*.ts,editor/drawing/*.ts,editor/draft-sync.ts,live/{line,live-connection,tabs}.ts}',
    {
      cwd: WEB,
    },
  );
  expect(pure.length).toBeGreaterThan(20);
  const views = pure.filter((file) =>
    /from '(react|@mantine|@xyflow|@tanstack|lucide-react|zustand)/.test(read(file)),
  );
  expect(views).toEqual([]);
});

test('an inline style is computed: a constant one is a class', () => {
  const constant = globSync('**/*.tsx', { cwd: WEB }).flatMap((file) =>
    [...read(file).matchAll(/style=\{\{([^}]*)\}\}/g)]
      .filter(([, body = '']) => /^(\s*\w+: ('[^']*'|-?[\d.]+),?)+\s*$/.test(body))
      .map(([, body]) => `${file}: ${body}`),
  );
  expect(constant).toEqual([]);
});
