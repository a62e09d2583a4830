import { openPool } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { openAuth } from '../auth.ts';
import { readConfig } from '../config.ts';
import { dataDirOf, openConnection } from '../connection.ts';
import { CountedLimits } from '../limits.ts';
import { openLogger } from '../logger.ts';
import { ownSecret } from '../secrets.ts';
import { finishBeforeStopping } from '../stop-signal.ts';
import { openUserTrail } from '../user-trail.ts';

/** What a command for operators works with: the configured database, brought up to date, and who may sign in. */
export async function openAdministration() {
  finishBeforeStopping();
  const config = readConfig(process.env);
  const { places, release } = await openConnection(config, () => {});
  const connection = await prepareDatabase(places);
  const pool = await openPool(connection, { poolMax: 2 });
  const log = openLogger('warn', 'stdout');
  const trail = openUserTrail({ pool, paperCash: config.paperCash, log });
  const { auth, close } = openAuth({
    connection,
    config,
    secret: config.authSecret ?? ownSecret(dataDirOf(config)),
    trustedOrigins: [],
    limits: new CountedLimits('off'),
    log,
    trail,
  });
  return {
    pool,
    auth,
    trail,
    close: async () => {
      await close();
      await pool.close();
      await release();
    },
  };
}
