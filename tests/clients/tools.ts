/** The tools with which callers generate, compile and inspect; installed apart, and only where these tests run. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { sh } from './sh.ts';

const HOME = path.join(import.meta.dirname, '../../tools/clients');

export const MODULES = path.join(HOME, 'node_modules');

/** The compilers that callers use: the service's own, the newest of version 5 and the oldest supported. */
export const COMPILERS = {
  'TypeScript 7': path.join(import.meta.dirname, '../../node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': path.join(MODULES, 'typescript/bin/tsc'),
  'TypeScript 5.7': path.join(MODULES, 'typescript-5-7/bin/tsc'),
} as const;

/** Installs the tools before the first test: no test has the time for it. */
export async function setup(): Promise<void> {
  if (!existsSync(path.join(MODULES, '.package-lock.json')))
    await sh('npm', ['ci', '--prefix', HOME, '--ignore-scripts', '--no-audit', '--no-fund']);
}

export const runTool = (tool: string, args: readonly string[], cwd: string): Promise<{ stdout: string }> =>
  sh(path.join(MODULES, '.bin', tool), args, { cwd });
