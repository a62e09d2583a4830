/** Members of the simulated venues, with credentials like those that the venues give, and money that is worth nothing. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { Venue } from '../db/vocabulary.ts';
import { VENUES } from './catalogue.ts';
import { OrderSigner } from './polymarket/trading/sign.ts';

/** Credentials as a connection takes them, and how the simulated venue is told of them. */
export type DemoMember = {
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly account: {
    readonly id: string;
    /** By asset, in the venue's own names. */
    readonly balances: Readonly<Record<string, string>>;
  };
  readonly key: {
    readonly id: string;
    /** What its signatures are checked with. */
    readonly material: string;
    readonly scopes: readonly string[];
    readonly tags: Readonly<Record<string, string>>;
  };
};

/** What connects a member: the body of `POST /api/venue-connections`, but for a password. */
export type DemoConnection = {
  readonly venue: Venue;
  readonly environment: 'demo';
  readonly label: string;
  readonly credentials: DemoMember['credentials'];
};

/** By what the simulator calls the venue. */
const DESKS: Readonly<Record<Venue, string>> = { 'venue-a': 'kalshi', 'venue-b': 'clob', crypto: 'binance' };

const MAKERS: Readonly<Record<Venue, () => DemoMember>> = {
  'venue-a': () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const keyId = randomUUID();
    return {
      credentials: { keyId, privateKey },
      // Money of this venue lies in four places, by the kind of market.
      account: {
        id: `member-${keyId}`,
        balances: { 'USD/0': '2500', 'USD/1': '2500', 'USD/2': '2500', 'USD/3': '2500' },
      },
      key: { id: keyId, material: publicKey, scopes: ['read', 'write::trade'], tags: {} },
    };
  },
  'venue-b': () => {
    const signingKey = `0x${randomBytes(32).toString('hex')}`;
    const wallet = `0x${randomBytes(20).toString('hex')}`;
    const api = {
      key: randomUUID(),
      secret: randomBytes(32).toString('base64'),
      passphrase: randomBytes(16).toString('hex'),
    };
    const { address } = new OrderSigner(signingKey);
    return {
      credentials: { wallet, signatureType: 3, signingKey, isSession: true, api },
      account: { id: wallet, balances: { pUSD: '10000' } },
      key: {
        id: api.key,
        material: api.secret,
        scopes: ['CLOB'],
        tags: { passphrase: api.passphrase, signer: address, role: 'session' },
      },
    };
  },
  crypto: () => {
    const apiKey = randomBytes(32).toString('hex');
    const secret = randomBytes(32).toString('hex');
    return {
      credentials: { apiKey, secret },
      account: { id: `member-${apiKey.slice(0, 16)}`, balances: { USDT: '10000' } },
      key: { id: apiKey, material: secret, scopes: ['read', 'write'], tags: {} },
    };
  },
};

/** A member nobody has heard of yet. */
export const newDemoMember = (venue: Venue): DemoMember => MAKERS[venue]();

export const demoConnectionOf = (venue: Venue, { credentials }: DemoMember): DemoConnection => ({
  venue,
  environment: 'demo',
  label: `Simulated ${VENUES[venue].title}`,
  credentials,
});

/** Makes a member known at the demo of a simulated venue; one that is known there keeps what it has. */
export async function admitDemoMember(
  simulatorUrl: string,
  venue: Venue,
  { account, key }: DemoMember,
): Promise<void> {
  const tell = (what: string, told: object) =>
    fetch(`${simulatorUrl}/simulator/trading/${what}`, {
      method: 'POST',
      body: JSON.stringify({ venue: DESKS[venue], ...told }),
      signal: AbortSignal.timeout(TELL_MS),
    });
  // Refused where it has the account already, and then the key decides.
  await tell('accounts', { ...account, environment: 'demo' });
  const answer = await tell('keys', { account: account.id, ...key });
  if (!answer.ok) throw new Error(`The simulated ${venue} does not take a member: ${await answer.text()}`);
}

const TELL_MS = 5_000;
