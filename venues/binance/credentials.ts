import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { defineAccess, secretText } from '../access.ts';
import { BinanceBroker } from './trading/broker.ts';
import { hostsOf } from './trading/hosts.ts';
import { Signer } from './trading/sign.ts';
import { SIMULATED_LIMITS } from './trading/trading-host.ts';

const Credentials = z
  .strictObject({
    apiKey: secretText.max(200),
    secret: secretText.meta({
      description: 'As shown when the key was made, or the PEM of an Ed25519 key.',
    }),
  })
  .meta({ id: 'CryptoCredentials' });

const newSecret = () => randomBytes(32).toString('hex');

export const binanceAccess = defineAccess({
  environments: ['demo', 'testnet', 'live'],
  simulatedOnly: [],
  credentials: Credentials,
  simulatorName: 'binance',
  hintOf: ({ apiKey }) => apiKey.slice(-4),
  prove: ({ apiKey, secret }) => {
    Signer.of(apiKey, secret);
  },
  withWrongKey: (credentials) => ({ ...credentials, secret: newSecret() }),
  open: ({ apiKey, secret }, { environment, simulatorUrl, clock }) =>
    new BinanceBroker({
      signer: Signer.of(apiKey, secret),
      hosts: hostsOf(environment, simulatorUrl),
      clock,
      ...(simulatorUrl !== null && { limits: SIMULATED_LIMITS }),
    }),
  newDemoAccount: () => {
    const [apiKey, secret] = [newSecret(), newSecret()];
    return {
      credentials: { apiKey, secret },
      account: { id: `member-${apiKey.slice(0, 16)}`, balances: { USDT: '10000' } },
      key: { id: apiKey, material: secret, scopes: ['read', 'write'], tags: {} },
    };
  },
});
