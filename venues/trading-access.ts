/** How each venue lets somebody in: the environments it has, and what its credentials are. */
import { z } from 'zod';
import type { Environment, Venue } from '../db/vocabulary.ts';
import { Signer } from './binance/trading/sign.ts';
import { KalshiSigner } from './kalshi/trading/sign.ts';
import { ApiCredentials } from './polymarket/trading/auth.ts';
import { OrderSigner } from './polymarket/trading/sign.ts';

/** No credential of any venue is longer: a PEM of RSA 4096 has 3,300 characters. */
const SECRET_MAX = 8_000;
const secret = z.string().trim().min(1).max(SECRET_MAX);

const KalshiCredentials = z
  .strictObject({
    keyId: secret.max(100).meta({ description: 'The name that venue A gave the key.' }),
    privateKey: secret.meta({ description: 'PEM of an RSA key of 2048 bits or more, or of an Ed25519 key.' }),
  })
  .meta({ id: 'VenueACredentials' });

const PolymarketCredentials = z
  .strictObject({
    wallet: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'is not an address' })
      .meta({ description: 'Holds the collateral.' }),
    signatureType: z
      .union([z.literal(0), z.literal(3)])
      .meta({ description: '3: a deposit wallet. 0: the account of the key itself, demo only.' }),
    signingKey: secret.meta({
      description: "Of a session, `0x` and 64 digits; never the key of the wallet's owner.",
    }),
    isSession: z.boolean(),
    api: z.strictObject({ key: secret, secret, passphrase: secret }),
  })
  .meta({ id: 'VenueBCredentials' });

const BinanceCredentials = z
  .strictObject({
    apiKey: secret.max(200),
    secret: secret.meta({ description: 'As shown when the key was made, or the PEM of an Ed25519 key.' }),
  })
  .meta({ id: 'CryptoCredentials' });

export type ReadCredentials =
  | { readonly kind: 'read'; readonly plain: Buffer; readonly hint: string }
  | { readonly kind: 'refused'; readonly message: string };

/** How one venue lets somebody in. */
export type Access<Credentials extends z.ZodObject = z.ZodObject> = {
  /** A connection names one of them, and never an address. */
  readonly environments: readonly Environment[];
  readonly credentials: Credentials;
  /** Checks credentials as far as that goes without asking the venue. The words of a refusal repeat nothing of them. */
  readonly read: (environment: Environment, sent: unknown) => ReadCredentials;
};

type AccessOf<Credentials extends z.ZodObject> = {
  readonly environments: readonly Environment[];
  readonly credentials: Credentials;
  /** The last characters of what names the key publicly, so that a person tells two connections apart. */
  readonly hintOf: (credentials: z.output<Credentials>) => string;
  /** Makes what signs of them, to find out whether they are keys at all. Throws words that repeat nothing. */
  readonly prove: (credentials: z.output<Credentials>, environment: Environment) => void;
};

function access<Credentials extends z.ZodObject>({
  environments,
  credentials,
  hintOf,
  prove,
}: AccessOf<Credentials>): Access<Credentials> {
  const read = (environment: Environment, sent: unknown): ReadCredentials => {
    const parsed = credentials.safeParse(sent);
    if (!parsed.success) return { kind: 'refused', message: wordsOf(parsed.error, credentials) };
    try {
      prove(parsed.data, environment);
    } catch (error) {
      return {
        kind: 'refused',
        message: error instanceof Error ? error.message : 'no key can be made of them',
      };
    }
    return { kind: 'read', plain: Buffer.from(JSON.stringify(parsed.data)), hint: hintOf(parsed.data) };
  };
  return { environments, credentials, read };
}

/**
 * Where orders may leave to: never a venue other than the one whose prices they were decided on. At simulated prices that is
 * the simulated venue, where nobody enters the keys of real money; and the demo of venue B is at the simulator alone.
 */
export function environmentsAt(prices: 'simulator' | 'live', venue: Venue): readonly Environment[] {
  const environments: readonly Environment[] = ACCESS[venue].environments;
  if (prices === 'simulator') return environments.filter((environment) => environment !== 'live');
  return venue === 'venue-b' ? ['live'] : environments;
}

/** Which part is missing or odd, by its name only. */
function wordsOf({ issues: [issue] }: z.ZodError, { shape }: z.ZodObject): string {
  const place = issue?.code === 'unrecognized_keys' ? '' : issue?.path.join('.');
  const needed = `have to be ${Object.keys(shape).join(', ')} and nothing else`;
  return place ? `${needed}; "${place}" is missing or not what it should be` : needed;
}

export const ACCESS = {
  'venue-a': access({
    environments: ['demo', 'live'],
    credentials: KalshiCredentials,
    hintOf: ({ keyId }) => keyId.slice(-4),
    prove: ({ keyId, privateKey }) => {
      new KalshiSigner(keyId, privateKey);
    },
  }),
  'venue-b': access({
    environments: ['demo', 'live'],
    credentials: PolymarketCredentials,
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
  }),
  crypto: access({
    environments: ['demo', 'testnet', 'live'],
    credentials: BinanceCredentials,
    hintOf: ({ apiKey }) => apiKey.slice(-4),
    prove: ({ apiKey, secret }) => {
      Signer.of(apiKey, secret);
    },
  }),
} as const satisfies Record<Venue, Access>;
