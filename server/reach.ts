import type { Db } from '../db/tables.ts';
import { withOpened } from '../engine/connections/envelope.ts';
import type { KeyWrapper } from '../engine/connections/key-ring.ts';
import type { ConnectionRow } from '../engine/connections/row.ts';
import { readSealed } from '../engine/connections/sealed.ts';
import type { Broker } from '../venues/broker.ts';
import { ObservedClock } from '../venues/clock.ts';
import { Complaints } from '../venues/complaints.ts';
import { openBroker } from '../venues/open-broker.ts';
import type { Config } from './config.ts';

export type ReachOptions = {
  readonly db: Db;
  readonly keys: KeyWrapper | null;
  readonly config: Pick<Config, 'marketData' | 'simulator'>;
};

/** The way to the venue account of a connection, for a process that ends orders there and makes none. */
export type Reach = (connection: ConnectionRow) => Promise<Broker>;

/**
 * What opens connections where no runner does. It throws in words for an operator: there are no keys, the credentials stay
 * locked, or the venue is one that this process cannot reach.
 */
export function openReach({ db, keys, config }: ReachOptions): Reach {
  const clock = new ObservedClock();
  return async (connection) => {
    if (keys === null) throw new Error('CREDENTIAL_KEYS is not set');
    const simulatorUrl = await simulatorOf(config, clock);
    const { sealed, owner } = await readSealed(db, connection);
    return withOpened(sealed, owner, keys, (plain) =>
      openBroker(connection.venue, plain, {
        environment: connection.environment,
        simulatorUrl,
        clock,
        // Nothing is booked here.
        feesOf: async () => null,
        complaints: new Complaints(null),
      }),
    );
  };
}

/** Simulated venues have a time of their own, which signatures are made for. Null: the venues are real. */
async function simulatorOf(
  { marketData, simulator: { simulatorUrl } }: ReachOptions['config'],
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
