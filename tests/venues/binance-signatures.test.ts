/** The examples of Binance's own documentation (binance-spot-api-docs a5e0bc3, 2026-07-21), reproduced. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { payloadOf, Signer } from '../../venues/binance/trading/sign.ts';

/** rest-api.md, "HMAC Keys". */
const API_KEY = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
/** fix-api.md, "Logon": the one private key that Binance publishes with a signature of it. */
const PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u
-----END PRIVATE KEY-----`;

const orderOf = (symbol: string) => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '0.1',
  recvWindow: 5000,
  timestamp: 1499827319559,
});

describe('a request to Binance', () => {
  test.each([
    ['LTCBTC', 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'],
    ['１２３４５６', 'e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3'],
  ])('of %s is signed as in rest-api.md (HMAC), percent-encoded before it is signed', (symbol, signature) => {
    const query = Signer.of(API_KEY, SECRET).query(orderOf(symbol));
    expect(query).toBe(`${payloadOf(orderOf(symbol))}&signature=${signature}`);
    expect(query).toMatch(
      /^symbol=(LTCBTC|%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96)&side=BUY&/,
    );
  });

  test.each([
    [
      { symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01000000', price: '52000.00', recvWindow: 100 },
      'aa1b5712c094bc4e57c05a1a5c1fd8d88dcd628338ea863fec7b88e59fe2db24',
    ],
    [
      { symbol: '１２３４５６', side: 'BUY', quantity: '1.00000000', price: '0.10000000', recvWindow: 5000 },
      'b33892ae8e687c939f4468c6268ddd4c40ac1af18ad19a064864c47bae0752cd',
    ],
  ])('over its WebSocket is signed as in web-socket-api.md, in alphabetical order', (params, signature) => {
    const rest = { type: 'LIMIT', timeInForce: 'GTC', timestamp: 1645423376532 };
    expect(Signer.of(API_KEY, SECRET).params({ ...params, ...rest })).toMatchObject({
      apiKey: API_KEY,
      signature,
    });
  });

  test('is signed with an Ed25519 key as in fix-api.md', () => {
    const logon = ['A', 'EXAMPLE', 'SPOT', '1', '20240627-11:17:25.223'].join('\u0001');
    expect(Signer.of(API_KEY, PEM).signatureOf(logon)).toBe(
      '4MHXelVVcpkdwuLbl6n73HQUXUf1dse2PCgT1DYqW9w8AVZ1RACFGM+5UdlGPrQHrgtS3CvsRURC1oj73j8gCA==',
    );
  });

  test('carries an Ed25519 signature percent-encoded', () => {
    const query = Signer.of(API_KEY, PEM).query(orderOf('LTCBTC'));
    const [payload = '', signature = ''] = query.split('&signature=');
    expect(signature).not.toMatch(/[+/=]/);
    const key = createPublicKey(createPrivateKey(PEM));
    const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
    expect(verify(null, Buffer.from(payload), key, bytes)).toBe(true);
  });

  test('row 47: is signed after it is encoded: the reverse would be refused with -1022', () => {
    const signer = Signer.of(API_KEY, SECRET);
    const raw = Object.entries(orderOf('１２３４５６'))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    expect(signer.query(orderOf('１２３４５６'))).not.toContain(signer.signatureOf(raw));
  });
});

describe('credentials of Binance', () => {
  test.each([SECRET, PEM])('are never printed', (secret) => {
    const signer = Signer.of(API_KEY, secret);
    const body = secret.split('\n')[1] ?? secret;
    for (const text of [
      inspect(signer, { depth: null, showHidden: true }),
      JSON.stringify({ signer }),
      `${signer}`,
    ]) {
      expect(text).not.toContain(API_KEY);
      expect(text).not.toContain(body);
    }
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  test.each([
    ['an RSA key', API_KEY, rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['no key', API_KEY, '-----BEGIN PRIVATE KEY-----\nAAAA-the-secret-AAAA\n-----END PRIVATE KEY-----'],
    ['a short secret', API_KEY, 'the-secret'],
    ['an API key with a line break', `${API_KEY}\r\nx-other: 1`, SECRET],
  ])('that are %s are refused, and the error contains nothing of them', (_, apiKey, secret) => {
    const error = (() => {
      try {
        Signer.of(apiKey, secret);
        return null;
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(error).toMatchObject({ kind: 'bad_request' });
    const printed = inspect(error, { depth: null, showHidden: true }).split('\n')[0] ?? '';
    expect(printed).not.toContain('the-secret');
    expect(printed).not.toContain(API_KEY);
    expect(error?.cause).toBeUndefined();
  });
});
