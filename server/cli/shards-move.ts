/**
 * Distributes running deployments over the shards of `SHARDS`: `npm run shards:move`, after that number was changed in every
 * process. Runs beside the service, one account after another, and can be interrupted and repeated.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb } from '../../db/pool.ts';
import { MODES } from '../../db/vocabulary.ts';
import { databaseClock, openWork } from '../../engine/platform/context.ts';
import { findRunningAccounts, moveToShard } from '../../engine/usecases/blueprints/running/move-shards.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { readCommandLine } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

readCommandLine('Usage: npm run shards:move', {});
try {
  const { pool, config, close } = await openCommandResources();
  try {
    const { shardCount } = config;
    const [mode] = MODES;
    const workOptions = { mode, actor: 'operator', requestId: null, clock: databaseClock };
    let moved = 0;
    for (const accountId of await findRunningAccounts(systemDb(pool)))
      moved += await moveToShard(openWork(pool, { accountId, ...workOptions }), shardCount);
    console.log(`${moved} running strategies moved; all are spread over ${shardCount} shards.`);
  } finally {
    await close();
  }
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is no database yet, so no strategy runs.'
      : `Not all was moved: ${reasonOf(error)}. Call it again.`,
  );
  process.exitCode = 1;
}
