import { openPool } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { CallRateLimiter } from '../http-kit/call-rate-limiter.ts';
import { openAuth } from '../identity/auth.ts';
import { openUserTrail } from '../identity/user-trail.ts';
import { readConfig } from '../kernel/config.ts';
import { connectDatabase, dataDirOf } from '../kernel/connect-database.ts';
import { openLogger } from '../kernel/logger.ts';
import { dataDirSecret } from '../kernel/secrets.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';

/** Opens what operator commands need: the configured database, migrated, and the sign-in framework. */
export async function openAdministration() {
  finishBeforeStopping();
  const config = readConfig(process.env);
  const { access, release } = await connectDatabase(config, () => {});
  const connection = await prepareDatabase(access);
  const pool = await openPool(connection, { poolMax: 2 });
  const owner = await openPool(access.owner, { poolMax: 1 });
  const log = openLogger('warn', 'stdout');
  const trail = openUserTrail({ pool, paperCash: config.paperCash, log });
  const { auth, close } = openAuth({
    connection,
    config,
    secret: config.authSecret ?? dataDirSecret(dataDirOf(config)),
    secondFactorKey: null,
    trustedOrigins: [],
    limits: new CallRateLimiter('off'),
    log,
    trail,
  });
  return {
    config,
    pool,
    /** As the owner of the tables. */
    owner,
    auth,
    trail,
    close: async () => {
      await close();
      await Promise.all([pool.close(), owner.close()]);
      await release();
    },
  };
}
