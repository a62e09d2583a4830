import type { DatabaseConnection, PoolOptions } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';

/** Opens a pool that waits for a connection as long as a test may take: a slow machine needs seconds, and no test of it is about them. */
export const openTestPool = (connection: DatabaseConnection, options: PoolOptions = {}) =>
  openPool(connection, { acquireTimeoutMs: 60_000, ...options });
