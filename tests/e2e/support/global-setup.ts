import type { TestProject } from 'vitest/node';
import { buildWhereStale } from '../../../bench/support/built-console.ts';
import { freePort, startServiceProcess } from './service-process.ts';

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
