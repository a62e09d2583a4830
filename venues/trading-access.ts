/** How to authenticate at each venue. The only code that knows which folder trades at which venue. */
import type { Environment, Venue } from '../db/vocabulary.ts';
import type { Access } from './access.ts';
import { binanceAccess } from './binance/credentials.ts';
import { kalshiAccess } from './kalshi/credentials.ts';
import { polymarketAccess } from './polymarket/credentials.ts';

export const ACCESS = {
  'venue-a': kalshiAccess,
  'venue-b': polymarketAccess,
  crypto: binanceAccess,
} as const satisfies Record<Venue, Access>;

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
