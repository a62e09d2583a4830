import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '../..');
const RELEASE = pathToFileURL(path.join(ROOT, 'tools/release.mjs')).href;

/** References of code to other files: its imports, and the files it reads. */
const NAMED = [
  /from '(\.[^']+)'/g,
  /import\('?(\.[^')]+)'?\)/g,
  /new URL\('(\.[^']+)', import\.meta\.url\)/g,
];
/** Files that only a source checkout has: the build of the console with the playground, and the compile cache. */
const NOT_NEEDED = ['web/build.ts', 'web/public/docs/assets', 'node_modules/.cache/compiled'];

const { PARTS, billOfMaterials } = z
  .object({ PARTS: z.array(z.string()), billOfMaterials: z.custom<() => string>() })
  .parse(await import(RELEASE));
const isReleased = (file: string) =>
  PARTS.some((part) => file === part || file.startsWith(`${part}${path.sep}`));

test('a release has every file that its code imports or reads', () => {
  const released = globSync('{server,openapi,routers,engine,venues,db,web}/**/*.{ts,mjs}', {
    cwd: ROOT,
  }).filter(isReleased);
  const named = released.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    return NAMED.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, target = '']) => ({
      file,
      target: path.join(path.dirname(file), target),
    }));
  });
  const missing = named.filter(
    ({ target }) => !['.', './'].includes(target) && !isReleased(target) && !NOT_NEEDED.includes(target),
  );
  expect(named.length).toBeGreaterThan(1_000);
  expect(missing).toEqual([]);
});

test('a script of the release starts only files that are in it', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  const started = ['start', 'user:create', 'verify-ledger', 'backup', 'restore', 'kill-switch'];
  const files = started.flatMap((name) => [...(scripts[name] ?? '').matchAll(/\bnode (\S+\.\w+)/g)]);
  expect(files.length).toBeGreaterThan(started.length);
  expect(files.map(([, file = '']) => file).filter((file) => !isReleased(file))).toEqual([]);
});

test('a release lists its contents: each package it depends on, with version and hash', () => {
  const { components } = z
    .object({
      components: z.array(
        z.object({ name: z.string(), version: z.string(), hashes: z.array(z.object({ alg: z.string() })) }),
      ),
    })
    .parse(JSON.parse(billOfMaterials()));
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  for (const [name, version] of Object.entries(dependencies))
    expect(components).toContainEqual({ name, version, hashes: [{ alg: 'SHA-512' }] });
});
