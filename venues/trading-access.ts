/** Finds the code of a venue, and how to authenticate there. */
import type { Access } from './access.ts';
import { VENUE_IDS, type Venue } from './catalogue.ts';
import * as drivers from './drivers.ts';
import type { Environment } from './vocabulary.ts';

type AnyDriver = (typeof drivers)[keyof typeof drivers];

export const DRIVERS = Object.fromEntries(Object.values(drivers).map((driver) => [driver.id, driver])) as {
  readonly [V in AnyDriver['id']]: Extract<AnyDriver, { id: V }>;
};

export const ACCESS = Object.fromEntries(VENUE_IDS.map((venue) => [venue, DRIVERS[venue].access])) as {
  readonly [V in Venue]: (typeof DRIVERS)[V]['access'];
};

/**
 * The environments that orders may go to: never a venue other than the one whose prices they were decided on. With simulated
 * prices that is the simulated venue, where no user enters keys of real money. Some practice environments exist only at the
 * simulator.
 */
export function environmentsAt(prices: 'simulator' | 'live', venue: Venue): readonly Environment[] {
  const { environments, simulatedOnly }: Access = ACCESS[venue];
  if (prices === 'simulator') return environments.filter((environment) => environment !== 'live');
  return environments.filter((environment) => !simulatedOnly.includes(environment));
}
