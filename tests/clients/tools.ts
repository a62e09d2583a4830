/** The tools with which callers generate, compile and inspect; installed apart, and only where these tests run. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { sh } from './sh.ts';

const HOME = path.join(import.meta.dirname, '../../tools/clients');

/** The compilers that callers use: the service's own, the newest of version 5 and the oldest supported. */
export const COMPILERS = {
  'TypeScript 7': path.join(import.meta.dirname, '../../node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': path.join(HOME, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.7': path.join(HOME, 'node_modules/typescript-5-7/bin/tsc'),
} as const;

/** Returns the folders of the tools, and installs them at the first call. */
export async function openTools(): Promise<{
  modules: string;
  run: (tool: string, args: readonly string[], cwd: string) => Promise<{ stdout: string }>;
}> {
  const modules = path.join(HOME, 'node_modules');
  if (!existsSync(path.join(modules, '.package-lock.json')))
    await sh('npm', ['ci', '--prefix', HOME, '--ignore-scripts', '--no-audit', '--no-fund']);
  return {
    modules,
    run: (tool, args, cwd) => sh(path.join(modules, '.bin', tool), args, { cwd }),
  };
}
