/**
 * Holds the lock of a venue in a process of its own. Prints ten times a second whether it still does.
 * Argument: the database as JSON.
 */
import { setInterval as every } from 'node:timers/promises';
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { LockSession } from '../../server/kernel/rounds/lock-session.ts';

const [connection = '{}', leaseMs = '1000'] = process.argv.slice(2);
const pool = await openPool(JSON.parse(connection) as DatabaseConnection);
const session = new LockSession(pool, 'crypto', Number(leaseMs));
for await (const _ of every(100)) process.send?.(await session.hold().catch(() => false));
