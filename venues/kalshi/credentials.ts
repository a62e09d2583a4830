import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineAccess, noSuchEnvironment, secretText } from '../access.ts';
import { KalshiBroker } from './trading/broker.ts';
import { HOSTS, SIMULATED_LIMITS, simulatedHosts } from './trading/calls.ts';
import { KalshiSigner } from './trading/sign.ts';

const Credentials = z
  .strictObject({
    keyId: secretText.max(100).meta({ description: 'The name that venue A gave the key.' }),
    privateKey: secretText.meta({
      description: 'PEM of an RSA key of 2048 bits or more, or of an Ed25519 key.',
    }),
  })
  .meta({ id: 'VenueACredentials' });

const newKeys = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

export const kalshiAccess = defineAccess({
  environments: ['demo', 'live'],
  simulatedOnly: [],
  credentials: Credentials,
  simulatorName: 'kalshi',
  hintOf: ({ keyId }) => keyId.slice(-4),
  prove: ({ keyId, privateKey }) => {
    new KalshiSigner(keyId, privateKey);
  },
  withWrongKey: (credentials) => ({ ...credentials, privateKey: newKeys().privateKey }),
  open: ({ keyId, privateKey }, { environment, simulatorUrl, clock }) => {
    if (environment === 'testnet') throw noSuchEnvironment(environment);
    const isSimulated = simulatorUrl !== null;
    return new KalshiBroker({
      signer: new KalshiSigner(keyId, privateKey),
      hosts: isSimulated ? simulatedHosts(simulatorUrl, environment) : HOSTS[environment],
      now: () => clock.now(),
      ...(isSimulated && { limits: SIMULATED_LIMITS }),
    });
  },
  newDemoAccount: () => {
    const { publicKey, privateKey } = newKeys();
    const keyId = randomUUID();
    return {
      credentials: { keyId, privateKey },
      // Balances of this venue are on four shards, by the kind of market.
      account: {
        id: `member-${keyId}`,
        balances: { 'USD/0': '2500', 'USD/1': '2500', 'USD/2': '2500', 'USD/3': '2500' },
      },
      key: { id: keyId, material: publicKey, scopes: ['read', 'write::trade'], tags: {} },
    };
  },
});
