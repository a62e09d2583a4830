/** Opens what trades at venues: their connections, and the directory of venue accounts. */
import { openPool, systemDb } from '../../db/pool.ts';
import type { Config } from '../kernel/config.ts';
import { Connections, type ConnectionsOptions } from '../workers/trading/connections/index.ts';

/** Claims are rare and short, and checks wait for them. */
const DIRECTORY_POOL = {
  poolMax: 2,
  acquireTimeoutMs: 1_000,
  statementTimeoutMs: 1_000,
  lockTimeoutMs: 1_000,
  answerWithinMs: 1_500,
};

/** With simulated prices, orders go to simulated venues only; without their URL, none are sent. */
export async function openVenues(
  config: Pick<Config, 'marketData' | 'trading' | 'cell' | 'directoryUrl'>,
  options: Omit<ConnectionsOptions, 'isLiveOn' | 'directory'>,
): Promise<Connections | null> {
  if (config.marketData === 'simulator' && options.simulatorUrl === null) return null;
  const { isLiveOn } = config.trading;
  if (config.cell === 0) return new Connections({ ...options, isLiveOn });
  return new Connections({ ...options, isLiveOn, directory: await openDirectory(config) });
}

/** Opens no connection yet: a start does not depend on cell 0. */
async function openDirectory({ directoryUrl }: Pick<Config, 'directoryUrl'>) {
  if (directoryUrl === null) return null;
  const pool = await openPool({ clientUrl: directoryUrl }, DIRECTORY_POOL);
  return { db: systemDb(pool), close: () => pool.close() };
}
