import type { DatabaseConnection, PoolOptions } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';

/** Opens a pool that waits for connections and answers as long as a test may take: on a slow machine both need seconds. */
export const openTestPool = (connection: DatabaseConnection, options: PoolOptions = {}) =>
  openPool(connection, {
    acquireTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
    answerWithinMs: 60_000,
    ...options,
  });
