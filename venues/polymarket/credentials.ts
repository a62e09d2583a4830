import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineAccess, noSuchEnvironment, secretText } from '../access.ts';
import { ApiCredentials } from './trading/auth.ts';
import { PolymarketBroker } from './trading/broker.ts';
import { OrderSigner } from './trading/sign.ts';

const Credentials = z
  .strictObject({
    wallet: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'is not an address' })
      .meta({ description: 'Holds the collateral.' }),
    signatureType: z
      .union([z.literal(0), z.literal(3)])
      .meta({ description: '3: a deposit wallet. 0: the account of the key itself, demo only.' }),
    signingKey: secretText.meta({
      description: "Of a session, `0x` and 64 digits; never the key of the wallet's owner.",
    }),
    isSession: z.boolean(),
    api: z.strictObject({ key: secretText, secret: secretText, passphrase: secretText }),
  })
  .meta({ id: 'VenueBCredentials' });

const newSecret = () => randomBytes(32).toString('base64');

export const polymarketAccess = defineAccess({
  environments: ['demo', 'live'],
  simulatedOnly: ['demo'],
  credentials: Credentials,
  simulatorName: 'clob',
  hintOf: ({ wallet }) => wallet.slice(-4),
  prove: ({ signingKey, api, isSession, signatureType }, environment) => {
    new OrderSigner(signingKey);
    new ApiCredentials(api);
    if (environment === 'live' && !(isSession && signatureType === 3)) {
      throw new RangeError(
        'have to be the key of a session and a deposit wallet, never the key of its owner',
      );
    }
  },
  withWrongKey: (credentials) => ({ ...credentials, api: { ...credentials.api, secret: newSecret() } }),
  open: (credentials, { environment, simulatorUrl, clock, feesOf, parseErrors }) => {
    if (environment === 'testnet') throw noSuchEnvironment(environment);
    return new PolymarketBroker({
      environment,
      credentials,
      ...(simulatorUrl !== null && { simulatorUrl }),
      clock,
      feesOf,
      parseErrors,
    });
  },
  newDemoAccount: () => {
    const signingKey = `0x${randomBytes(32).toString('hex')}`;
    const wallet = `0x${randomBytes(20).toString('hex')}`;
    const api = { key: randomUUID(), secret: newSecret(), passphrase: randomBytes(16).toString('hex') };
    const { address } = new OrderSigner(signingKey);
    return {
      credentials: { wallet, signatureType: 3 as const, signingKey, isSession: true, api },
      account: { id: wallet, balances: { pUSD: '10000' } },
      key: {
        id: api.key,
        material: api.secret,
        scopes: ['CLOB'],
        tags: { passphrase: api.passphrase, signer: address, role: 'session' },
      },
    };
  },
});
