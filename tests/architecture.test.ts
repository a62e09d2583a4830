import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** What each folder may import besides itself. `db` and `venues` know nothing of ours. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  db: [],
  venues: [],
  engine: ['db', 'venues'],
  routers: ['engine', 'db', 'venues'],
  openapi: ['routers', 'engine'],
  server: ['openapi', 'routers', 'engine', 'db', 'venues', 'web'],
  web: [],
};

/** The console knows the API by its type alone, so that no server code reaches a browser. */
const MAY_IMPORT_TYPES: Readonly<Record<string, readonly string[]>> = { web: ['routers'] };

type Import = { from: string; to: string; typeOnly: boolean };

const ROOT = path.join(import.meta.dirname, '..');
const IMPORT = /^(?:import|export)\s+(?:(type\s)?[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;

const imports: readonly Import[] = globSync(`{${Object.keys(MAY_IMPORT).join()}}/**/*.{ts,tsx}`, {
  cwd: ROOT,
}).flatMap(importsOf);

function importsOf(from: string): Import[] {
  const text = readFileSync(path.join(ROOT, from), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, type, target = '']) => ({
    from,
    to: path.join(path.dirname(from), target),
    typeOnly: type !== undefined,
  }));
}

const folderOf = (file: string): string => file.split(path.sep)[0] ?? '';

test('folders import only what lies below them', () => {
  const strays = imports.filter(({ from, to, typeOnly }) => {
    const [own, other] = [folderOf(from), folderOf(to)];
    if (own === other || MAY_IMPORT[own]?.includes(other)) return false;
    return !(typeOnly && MAY_IMPORT_TYPES[own]?.includes(other));
  });
  expect(strays.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no file imports itself through others', () => {
  const targets = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (done.has(file) || trail.includes(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test('the imports are really found', () => {
  expect(imports.length).toBeGreaterThan(500);
  expect(imports).toContainEqual({ from: 'server/app.ts', to: 'openapi/facade.ts', typeOnly: false });
});
