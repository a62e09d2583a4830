/** Opens a broker of an account at a venue. */

import { noSuchEnvironment, type OpenBrokerOptions } from './access.ts';
import type { Broker } from './broker.ts';
import type { Venue } from './catalogue.ts';
import { VenueError } from './errors.ts';
import { ACCESS, environmentsAt } from './trading-access.ts';

export type { OpenBrokerOptions } from './access.ts';

/**
 * Makes a broker of opened credentials, and retains nothing of them but the signer.
 *
 * @throws VenueError `bad_request` if the service has no such environment of the venue, or the credentials are invalid. The
 * text repeats nothing of them.
 */
export function openBroker(venue: Venue, plain: Buffer, options: OpenBrokerOptions): Broker {
  const { environment, simulatorUrl } = options;
  if (!environmentsAt(simulatorUrl === null ? 'live' : 'simulator', venue).includes(environment))
    throw noSuchEnvironment(environment);
  try {
    return ACCESS[venue].open(JSON.parse(plain.toString()), options);
  } catch (error) {
    if (error instanceof VenueError) throw error;
    throw VenueError.badRequest('the stored credentials are no valid key');
  }
}
