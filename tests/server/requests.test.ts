import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { contextOf, requestIds } from '../../server/http-kit/requests.ts';

/** The client data of a request from this address, with these headers. */
function known(remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}) {
  const request = { headers, url: '/health', socket: { remoteAddress } };
  const response: Pick<ServerResponse, 'setHeader'> = { setHeader: () => response as ServerResponse };
  requestIds(request as Request, response as Response, () => {});
  return contextOf(request as Request);
}

describe('the address that limits count by', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (remote, counted) => {
    expect(known(remote).address).toBe(counted);
  });

  test('one household’s IPv6 addresses count as one, another’s do not', () => {
    const [one, other, foreign] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1', '2001:db8:1:3::1'].map(
      (remote) => known(remote).address,
    );
    expect(one).toBe(other);
    expect(one).not.toBe(foreign);
  });

  test('no header changes it', () => {
    const claimed = {
      'x-forwarded-for': '198.51.100.1',
      'x-real-ip': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
    };
    expect(known('203.0.113.7', claimed).address).toBe('203.0.113.7');
  });
});
