/** Checks that the output of four generators compiles strictly, and calls the service. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';
import { sh } from './sh.ts';
import { COMPILERS, MODULES, runTool } from './tools.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DESCRIPTION = path.join(ROOT, 'openapi/openapi.json');

/** Arguments of each generator, after the path of the description; all write below `out`. */
const GENERATORS = {
  'openapi-typescript': { tool: 'openapi-typescript', args: [DESCRIPTION, '-o', 'made/schema.d.ts'] },
  'hey-api': { tool: 'openapi-ts', args: ['-i', DESCRIPTION, '-o', 'made', '--no-log-file'] },
  oazapfts: { tool: 'oazapfts', args: [DESCRIPTION, 'made/api.ts'] },
  orval: { tool: 'orval', args: ['--input', DESCRIPTION, '--output', 'made/api.ts', '--client', 'fetch'] },
} as const;

let world: World;
const folders: string[] = [];
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await world.close();
});

test.each(Object.entries(GENERATORS))('%s', async (name, { tool, args }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'generated-'));
  folders.push(folder);
  mkdirSync(path.join(folder, 'made'));
  symlinkSync(MODULES, path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}\n');
  cpSync(path.join(import.meta.dirname, 'generated/tsconfig.json'), path.join(folder, 'tsconfig.json'));
  cpSync(path.join(import.meta.dirname, `generated/${name}.ts`), path.join(folder, 'smoke.ts'));
  await runTool(tool, args, folder);
  for (const compiler of [COMPILERS['TypeScript 5.9'], COMPILERS['TypeScript 7']])
    await sh(process.execPath, [compiler, '-p', folder]);
  const { key } = await world.account();
  const { stdout } = await sh(process.execPath, [path.join(folder, 'out/smoke.js'), world.base, key]);
  expect(JSON.parse(stdout)).toEqual({ made: 'Generated', listed: 1, refused: 'not_found', price: 'number' });
});
