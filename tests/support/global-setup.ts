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
    pg: { owner: TestServerConnection; app: Login };
  }
}

/** One server per run, its schema migrated once into a template that every test file clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  try {
    const { host, port, user, password, app } = server;
    const owner = { host, port, user, password };
    await prepareDatabase({ owner: { ...owner, dbName: 'template_app' }, app: { login: app } });
    project.provide('pg', { owner, app });
  } catch (error) {
    await server.remove();
    throw error;
  }
  return () => server.remove();
}
