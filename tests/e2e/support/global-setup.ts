import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtFingerprint, fingerprint } from '../../../web/fingerprint.ts';
import { freePort, startServiceProcess } from './service-process.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

declare module 'vitest' {
  interface ProvidedContext {
    base: string;
    publicUrl: string;
  }
}

/** One built console and one service for all files; every test has a user of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildWhereStale();
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startServiceProcess({
    CONSOLE_BUILD: '0',
    DEMO: '0',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: publicUrl,
  });
  project.provide('base', service.base);
  project.provide('publicUrl', publicUrl);
  return () => service.stop();
}

async function buildWhereStale(): Promise<void> {
  if (builtFingerprint() === fingerprint()) return;
  const build = spawn(process.execPath, ['web/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error(`The console does not build: code ${code}.`);
}
