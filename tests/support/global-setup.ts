import type { TestProject } from 'vitest/node';
import type { Login } from '../../db/login.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { startTestServer } from './test-server.ts';

/** How to reach the database server of this run, as a client that is not tied to a database. */
export type TestServerConnection = {
  host: string;
  port: number;
  user: string;
  password: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** `pooler`: through which the service connects, if the run has one. */
    pg: { owner: TestServerConnection; app: Login; pooler?: { host: string; port: number } };
  }
}

/** One server per run, its schema migrated once into a template that every test file clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { owner, app, remove } = await startTemplateServer();
  project.provide('pg', { owner, app });
  return remove;
}

/** Starts the server of a run with its template. */
export async function startTemplateServer() {
  const { remove, app, host, port, user, password } = await startTestServer();
  const owner = { host, port, user, password };
  try {
    await prepareDatabase({ owner: { ...owner, dbName: 'template_app' }, app: { login: app } });
    return { owner, app, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
