/** Vectors: tests/fixtures/venues/SOURCES.md, and the sources named at each. */

import { inspect } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { ApiCredentials } from '../../venues/polymarket/trading/auth.ts';
import { domainOf } from '../../venues/polymarket/trading/contracts.ts';
import { OrderSigner } from '../../venues/polymarket/trading/sign.ts';
import {
  ORDER_TYPE,
  orderHashOf,
  type TypedOrder,
  walletDigestOf,
  ZERO_WORD,
} from '../../venues/polymarket/trading/typed-data.ts';
import { fixture } from './support/replay.ts';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace('0x', ''), 'hex'));

type Vector = {
  name: string;
  privateKey: string;
  order: Omit<TypedOrder, 'salt'> & { salt: number; signature: string };
};
const VECTORS = fixture<Vector[]>('polymarket-orders.json');
const OWNER = { isSession: false };

/** The public key of local Ethereum chains, and the order of `test_exchange_order_builder_v2.py` of the official client. */
const WALLET_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const WALLET = '0x1111111111111111111111111111111111111111';
const WALLET_ORDER: TypedOrder = {
  salt: '479249096354',
  maker: WALLET,
  signer: WALLET,
  tokenId: '1234',
  makerAmount: '100000000',
  takerAmount: '50000000',
  side: 'BUY',
  signatureType: 3,
  timestamp: '1710000000000',
  metadata: ZERO_WORD,
  builder: ZERO_WORD,
};
const WALLET_SIGNATURE = [
  '0xa3a093c83b6c20c83355c16ce94c92e6e9fcbdeb840618cc74f6c57a42ad145b',
  '2b98db73d2c73cbf1f2b6af288566ae81960ddbc3a13921027358a8bff3be6ff1c',
  'a440cbd865bc0c6243d7a8df9a8bf48a8827b0a4abbb61c30e96d305423af148',
  'd23d42d3ad94e65d78258cecaf8dcbaddac0f73dc085040f2c12bb595dd83804',
  Buffer.from(ORDER_TYPE).toString('hex'),
  '00ba',
].join('');

describe('an order of venue B is signed as the official client signs it', () => {
  test.each(VECTORS.map((vector) => [vector.name, vector] as const))(
    'by a key: %s',
    (_, { privateKey, order }) => {
      const typed = { ...order, salt: String(order.salt) };
      const signer = new OrderSigner(privateKey);
      expect(signer.address).toBe('0xe2df35f6db0e92098fd6b45a62f032eaac24729a');
      expect(signer.sign(typed, domainOf('live', 'standard'), OWNER)).toBe(order.signature);
    },
  );

  test('by the owner of a deposit wallet', () => {
    const signature = new OrderSigner(WALLET_KEY).sign(WALLET_ORDER, domainOf('demo', 'standard'), OWNER);
    expect(signature).toBe(WALLET_SIGNATURE);
  });

  test('by a key of a session: the same, named and padded to words (`wallet.ts` of github.com/Polymarket/ts-sdk)', () => {
    const signer = new OrderSigner(WALLET_KEY);
    const domain = domainOf('demo', 'standard');
    const wrapped = signer.sign(WALLET_ORDER, domain, { isSession: true }).slice(2);
    const words = wrapped.match(/.{64}/g) ?? [];
    const inner = WALLET_SIGNATURE.slice(2);
    expect(wrapped.length % 64).toBe(0);
    expect(words.slice(0, 4)).toEqual([
      signer.address.slice(2).padStart(64, '0'),
      '0'.repeat(64),
      (96).toString(16).padStart(64, '0'),
      (inner.length / 2).toString(16).padStart(64, '0'),
    ]);
    expect(words.at(-1)).toBe('6492'.repeat(16));
    expect(words.slice(4, -1).join('')).toBe(inner.padEnd(words.slice(4, -1).length * 64, '0'));
  });

  test('so that the signature of either kind of wallet leads back to the key', () => {
    const signer = new OrderSigner(WALLET_KEY);
    const domain = domainOf('live', 'neg_risk');
    const digests = [
      [{ ...WALLET_ORDER, signatureType: 0 }, orderHashOf],
      [WALLET_ORDER, walletDigestOf],
    ] as const;
    for (const [order, digestOf] of digests) {
      const signature = bytes(signer.sign(order, domain, OWNER)).subarray(0, 65);
      const recovered = Uint8Array.of((signature[64] ?? 0) - 27, ...signature.subarray(0, 64));
      const key = secp256k1.recoverPublicKey(recovered, digestOf(order, domain), { prehash: false });
      const full = secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
      expect(hex(keccak_256(full).subarray(-20))).toBe(signer.address);
    }
  });
});

describe('the id of an order at venue B is known before it is sent', () => {
  const order: TypedOrder = {
    salt: '123456789',
    maker: '0x14791697260E4c9A71f18484C9f997B308e59325',
    signer: '0x14791697260E4c9A71f18484C9f997B308e59325',
    tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: 'BUY',
    signatureType: 0,
    timestamp: '1790934258308',
    metadata: ZERO_WORD,
    builder: ZERO_WORD,
  };

  // Computed with viem 2.46.3, ccxt 4.5.84 and micro-eth-signer 0.20.1, which agree.
  test.each([
    ['standard', '0x59cf20330c01e579fd5ce71cf1900ccabc069dc2fe107451b3402a1cbc9c3eb5'],
    ['neg_risk', '0xad9a8a9b0ec5af42143548e9182f17af4bc6723f124db31963ec481f969f3c14'],
    ['v3', '0x836dbcdf6bb6a0e06cb67d4aa1230ed79767beacd417f0e773831302f432bee3'],
  ] as const)('on the %s exchange', (kind, id) => {
    expect(hex(orderHashOf(order, domainOf('live', kind)))).toBe(id);
  });

  test('for a deposit wallet as well, and it is another one in the demo than where there is money', () => {
    expect(hex(orderHashOf(WALLET_ORDER, domainOf('demo', 'standard')))).toBe(
      '0x2afca94626db91b2d556c351584a4cd93e13da32e377dc48c7983e43afa5ab47',
    );
    expect(orderHashOf(WALLET_ORDER, domainOf('live', 'standard'))).not.toEqual(
      orderHashOf(WALLET_ORDER, domainOf('demo', 'standard')),
    );
  });

  test('and the signature of those tools is ours', () => {
    const key = '0x0123456789012345678901234567890123456789012345678901234567890123';
    expect(new OrderSigner(key).sign(order, domainOf('live', 'standard'), OWNER)).toBe(
      '0x71f4940911962a6fa9e061ab433303142d52bc2ec708d3430e2f2b6ed0bbdc066cf393d6ddaf1cb30481075c761e57ffbbeeb74b6248f2b1086b24ba8694737e1b',
    );
  });
});

describe('a private call to venue B', () => {
  const secret = Buffer.alloc(32).toString('base64');

  test('is authenticated as the official clients do it', () => {
    // The vector of `tests/signing/test_hmac.py` of github.com/Polymarket/py-clob-client.
    const credentials = new ApiCredentials({ key: 'key', secret, passphrase: 'passphrase' });
    const call = { method: 'test-sign', path: '/orders', body: '{"hash": "0x123"}' };
    expect(credentials.signatureOf(call, 1_000_000)).toBe('ZwAdJKvoYRlEKDkNMwd5BuwNNtg93kNaR_oU2HrfVvc=');
  });

  test('with a secret in either alphabet of base64', () => {
    const raw = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at));
    const call = { method: 'GET', path: '/data/orders' };
    const [a, b] = [raw.toString('base64'), raw.toString('base64url')].map((text) =>
      new ApiCredentials({ key: 'k', secret: text, passphrase: 'p' }).signatureOf(call, 1),
    );
    expect(a).toBe(b);
  });
});

describe('no secret of venue B', () => {
  const PASSPHRASE = 'a-passphrase-nobody-prints';
  const SECRET = Buffer.from('a secret that no log may contain').toString('base64');

  test('is printed with what holds it', () => {
    const held = [
      new OrderSigner(WALLET_KEY),
      new ApiCredentials({ key: 'k', secret: SECRET, passphrase: PASSPHRASE }),
    ];
    const printed = `${inspect(held, { depth: 10, showHidden: true })}${JSON.stringify(held)}`;
    for (const text of [WALLET_KEY.slice(2), PASSPHRASE, SECRET]) expect(printed).not.toContain(text);
  });

  test.each(['', '0x', 'ac09', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, `${WALLET_KEY}00`])(
    'is repeated where it is no key (%#)',
    (key) => {
      expect(() => new OrderSigner(key)).toThrow(/^a signing key is 0x and 64 hexadecimal digits/);
    },
  );
});
