import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../db/migrate.ts';
import { startTestServer } from './test-server.ts';

/** How to reach the database server of this run, as a client that is not tied to a database. */
export interface TestServerConnection {
  host: string;
  port: number;
  user: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    pg: TestServerConnection;
  }
}

/** One server per run, its schema migrated once into a template that every test file clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  try {
    const { host, port, user, password } = server;
    await migrateDatabase({ host, port, user, password, dbName: 'template_app' });
    project.provide('pg', { host, port, user, password });
  } catch (error) {
    await server.remove();
    throw error;
  }
  return () => server.remove();
}
