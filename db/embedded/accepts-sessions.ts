/**
 * Checks whether a server that seems to run accepts sessions. A server that was just killed keeps its pid file, and briefly its
 * process.
 */

import pg from 'pg';
import { readPassword, SUPERUSER } from './cluster.ts';

const LOGIN_TIMEOUT_MS = 2_000;
/** `cannot_connect_now`: the server is starting or stopping (PostgreSQL, appendix A). */
const NOT_NOW = '57P03';

/** True when the server answers a login, even by a refusal such as too many sessions. */
export async function acceptsSessions(dir: string, host: string, port: number): Promise<boolean> {
  const login = { host, port, user: SUPERUSER, password: readPassword(dir), database: 'postgres' };
  const client = new pg.Client({ ...login, connectionTimeoutMillis: LOGIN_TIMEOUT_MS });
  client.on('error', () => {}); // the error of a session that breaks later is of no use
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code !== NOT_NOW;
  }
}
