/** Who lets somebody in at each venue. The one place that knows which folder trades where. */
import type { Environment, Venue } from '../db/vocabulary.ts';
import type { Access } from './access.ts';
import { binanceAccess } from './binance/member.ts';
import { kalshiAccess } from './kalshi/member.ts';
import { polymarketAccess } from './polymarket/member.ts';

export const ACCESS = {
  'venue-a': kalshiAccess,
  'venue-b': polymarketAccess,
  crypto: binanceAccess,
} as const satisfies Record<Venue, Access>;

/**
 * Where orders may leave to: never a venue other than the one whose prices they were decided on. At simulated prices that is
 * the simulated venue, where nobody enters the keys of real money; and some practice worlds are at the simulator alone.
 */
export function environmentsAt(prices: 'simulator' | 'live', venue: Venue): readonly Environment[] {
  const { environments, simulatedOnly }: Access = ACCESS[venue];
  if (prices === 'simulator') return environments.filter((environment) => environment !== 'live');
  return environments.filter((environment) => !simulatedOnly.includes(environment));
}
