import { openPool, type Pool } from '../../db/pool.ts';
import type { DatabasePlaces } from '../../db/prepare.ts';
import type { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { type Config, readConfig } from '../kernel/config.ts';
import { dataDirOf, openConnection } from '../kernel/connection.ts';
import { credentialKeysOf } from '../kernel/secrets.ts';

/** What a command works with that needs no service: the database as it is, and the keys of credentials. */
export type Operation = {
  readonly config: Config;
  readonly places: DatabasePlaces;
  /** As the owner of the tables: it migrates nothing, and no row hides from it. */
  readonly pool: Pool;
  readonly keys: KeyRing | null;
  close(): Promise<void>;
};

/** @param answerWithinMs How long one statement may take, where that is longer than a request would wait. */
export async function openOperation(poolMax = 2, answerWithinMs?: number): Promise<Operation> {
  const config = readConfig(process.env);
  await using opened = new AsyncDisposableStack();
  const { places, release } = await openConnection(config, () => {});
  opened.defer(release);
  const pool = await openPool(places.owner, {
    poolMax,
    ...(answerWithinMs !== undefined && { answerWithinMs }),
  });
  opened.defer(() => pool.close());
  const keys = credentialKeysOf(config, dataDirOf(config));
  const all = opened.move();
  return { config, places, pool, keys, close: () => all.disposeAsync() };
}
