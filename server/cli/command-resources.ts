import { openPool, type Pool } from '../../db/pool.ts';
import type { DatabaseAccess } from '../../db/prepare.ts';
import type { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { type Archives, openArchives } from '../kernel/archive/open-archive.ts';
import { type Config, readConfig } from '../kernel/config.ts';
import { connectDatabase, dataDirOf } from '../kernel/connect-database.ts';
import { credentialKeysOf } from '../kernel/secrets.ts';

/** The resources of a command that needs no service: the database as it is, and the credential keys. */
export type CommandResources = Archives & {
  readonly config: Config;
  readonly access: DatabaseAccess;
  /** Connects as the owner of the tables: migrates nothing, and row-level security hides nothing. */
  readonly pool: Pool;
  readonly keys: KeyRing | null;
  close(): Promise<void>;
};

/** @param answerWithinMs timeout of one statement, if longer than that of a request. */
export async function openCommandResources(poolMax = 2, answerWithinMs?: number): Promise<CommandResources> {
  const config = readConfig(process.env);
  await using opened = new AsyncDisposableStack();
  const { access, release } = await connectDatabase(config, () => {});
  opened.defer(release);
  const pool = await openPool(access.owner, {
    poolMax,
    ...(answerWithinMs !== undefined && { answerWithinMs }),
  });
  opened.defer(() => pool.close());
  const keys = credentialKeysOf(config, dataDirOf(config));
  const all = opened.move();
  return { config, access, pool, keys, ...openArchives(config), close: () => all.disposeAsync() };
}
