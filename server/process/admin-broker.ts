import { type Pool, systemDb } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import {
  type CancelAllResult,
  cancelUntilNoneOpen,
  readArrivingUntil,
} from '../../engine/trading/connections/cancel-until-none-open.ts';
import { readSealed } from '../../engine/trading/connections/credential-store.ts';
import { withOpened } from '../../engine/trading/connections/credentials/encryption.ts';
import type { KeyWrapper } from '../../engine/trading/connections/credentials/key-ring.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import type { Broker } from '../../venues/broker.ts';
import { ObservedClock } from '../../venues/clock.ts';
import { openBroker } from '../../venues/open-broker.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';
import type { Config } from '../kernel/config.ts';
import { reasonOf } from '../kernel/connect-database.ts';

export type AdminBrokerOptions = {
  readonly pool: Pool;
  readonly keys: KeyWrapper | null;
  readonly config: Pick<Config, 'marketData' | 'simulator'>;
};

/** Opens the venue account of a connection, for a process that cancels orders there and creates none. */
export type OpenAdminBroker = (connection: ConnectionRow) => Promise<Broker>;

/**
 * Opens connections outside a runner. Throws a readable error for an operator: there are no keys, the credentials are locked,
 * or this process cannot reach the venue.
 */
export function adminBrokerOpener({ pool, keys, config }: AdminBrokerOptions): OpenAdminBroker {
  const clock = new ObservedClock();
  return async (connection) => {
    const simulatorUrl = await simulatorOf(config, clock);
    if (keys === null) throw new Error('CREDENTIAL_KEYS is not set');
    const { sealed, owner } = await readSealed(systemDb(pool), connection);
    return withOpened(sealed, owner, keys, (plain) =>
      openBroker(connection.venue, plain, {
        environment: connection.environment,
        simulatorUrl,
        clock,
        // No fills are booked here.
        feesOf: async () => null,
        parseErrors: new ParseErrorLog(null),
      }),
    );
  };
}

/** Returns the simulator, whose clock signatures must use. Null: the venues are real. */
async function simulatorOf(
  { marketData, simulator: { simulatorUrl } }: AdminBrokerOptions['config'],
  clock: ObservedClock,
): Promise<string | null> {
  if (marketData === 'live') return null;
  if (simulatorUrl === undefined)
    throw new Error('the simulated venues are within the service, unless SIMULATOR_URL says where they are');
  const { headers } = await fetch(simulatorUrl, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  clock.observe(headers);
  return simulatorUrl;
}

const ANSWER_WITHIN_MS = 5_000;

export type CancelConnectionOptions = {
  readonly pool: Pool;
  readonly adminBroker: OpenAdminBroker;
};

/** Cancels every open order at the venue of a connection. Does not throw. */
export async function cancelConnectionOrders(
  { pool, adminBroker }: CancelConnectionOptions,
  row: ConnectionRow,
): Promise<CancelAllResult> {
  const db = systemDb(pool);
  const of = { accountId: row.account_id, connectionId: row.id };
  try {
    return await cancelUntilNoneOpen({
      broker: await adminBroker(row),
      arrivingUntil: async () => readArrivingUntil(db, of, await databaseClock(db)),
    });
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) };
  }
}
