import type { TestProject } from 'vitest/node';
import { startTemplateServer } from '../support/global-setup.ts';
import { startPooler } from './start-pooler.ts';

/** The server of a run, as for all tests, with a PgBouncer in transaction mode through which the service connects. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { owner, app, remove } = await startTemplateServer();
  try {
    const { host, port, remove: removePooler } = await startPooler(owner, [app]);
    project.provide('pg', { owner, app, pooler: { host, port } });
    return async () => {
      await removePooler();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
