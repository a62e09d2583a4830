/** Opens the way to an account at a venue. The one place that knows which class trades where. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Environment, Venue } from '../db/vocabulary.ts';
import { BinanceBroker } from './binance/trading/broker.ts';
import { SIMULATED_LIMITS as SIMULATED_LIMITS_OF_CRYPTO } from './binance/trading/host.ts';
import { hostsOf } from './binance/trading/hosts.ts';
import { Signer } from './binance/trading/sign.ts';
import type { Broker } from './broker.ts';
import type { FeedClock } from './clock.ts';
import type { Complaints } from './complaints.ts';
import { VenueError } from './errors.ts';
import { KalshiBroker } from './kalshi/trading/broker.ts';
import { HOSTS, SIMULATED_LIMITS, simulatedHosts } from './kalshi/trading/calls.ts';
import { KalshiSigner } from './kalshi/trading/sign.ts';
import { PolymarketBroker, type PolymarketBrokerOptions } from './polymarket/trading/broker.ts';
import { ACCESS, environmentsAt } from './trading-access.ts';

export type OpenBrokerOptions = {
  /** Fixes the hosts, which are a table in code. */
  readonly environment: Environment;
  /** Where the simulated venues are, if they are what is traded at: the operator's word, never a user's. */
  readonly simulatorUrl: string | null;
  readonly clock: FeedClock;
  readonly feesOf: PolymarketBrokerOptions['feesOf'];
  readonly complaints: Complaints;
  /** Signs with a key that is not the account's, to see whether the venue looks at signatures. */
  readonly isSpoiled?: boolean;
};

type Open = (credentials: unknown, options: OpenBrokerOptions) => Broker;

const OPEN: Readonly<Record<Venue, Open>> = {
  'venue-a': (sent, { environment, simulatorUrl, clock }) => {
    const { keyId, privateKey } = ACCESS['venue-a'].credentials.parse(sent);
    if (environment === 'testnet') throw noSuchEnvironment(environment);
    const isSimulated = simulatorUrl !== null;
    return new KalshiBroker({
      signer: new KalshiSigner(keyId, privateKey),
      hosts: isSimulated ? simulatedHosts(simulatorUrl, environment) : HOSTS[environment],
      now: () => clock.now(),
      ...(isSimulated && { limits: SIMULATED_LIMITS }),
    });
  },
  'venue-b': (sent, { environment, simulatorUrl, clock, feesOf, complaints }) => {
    const credentials = ACCESS['venue-b'].credentials.parse(sent);
    if (environment === 'testnet') throw noSuchEnvironment(environment);
    return new PolymarketBroker({
      environment,
      credentials,
      ...(simulatorUrl !== null && { simulatorUrl }),
      clock,
      feesOf,
      complaints,
    });
  },
  crypto: (sent, { environment, simulatorUrl, clock }) => {
    const { apiKey, secret } = ACCESS.crypto.credentials.parse(sent);
    return new BinanceBroker({
      signer: Signer.of(apiKey, secret),
      hosts: hostsOf(environment, simulatorUrl),
      clock,
      ...(simulatorUrl !== null && { limits: SIMULATED_LIMITS_OF_CRYPTO }),
    });
  },
};

/** The same account with a key that nobody has. */
const SPOIL: Readonly<Record<Venue, (credentials: Credentials) => unknown>> = {
  'venue-a': (credentials) => ({ ...credentials, privateKey: strangersKey() }),
  'venue-b': (credentials) => ({
    ...credentials,
    api: { ...(credentials['api'] as object), secret: randomBytes(32).toString('base64') },
  }),
  crypto: (credentials) => ({ ...credentials, secret: randomBytes(32).toString('hex') }),
};
type Credentials = Readonly<Record<string, unknown>>;

const strangersKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

/**
 * Makes a broker of opened credentials, and keeps no more of them than what signs.
 *
 * @throws VenueError `bad_request` where this service reaches no such environment of the venue, or they are no credentials; in
 *   words that repeat nothing of them.
 */
export function openBroker(venue: Venue, plain: Buffer, options: OpenBrokerOptions): Broker {
  const { environment, simulatorUrl, isSpoiled = false } = options;
  if (!environmentsAt(simulatorUrl === null ? 'live' : 'simulator', venue).includes(environment))
    throw noSuchEnvironment(environment);
  try {
    const credentials = JSON.parse(plain.toString());
    return OPEN[venue](isSpoiled ? SPOIL[venue](credentials) : credentials, options);
  } catch (error) {
    if (error instanceof VenueError) throw error;
    throw VenueError.badRequest('the stored credentials make no key');
  }
}

const noSuchEnvironment = (environment: Environment): VenueError =>
  VenueError.badRequest(`this service does not reach the ${environment} environment of the venue`);
