import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ANSWER_BYTES_MAX,
  openAgents,
  type PostOptions,
  post,
} from '../../server/workers/notifications/post.ts';
import { openReceiver, type Receiver } from '../support/notifications.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const OPTIONS: PostOptions = {
  isLoopbackAllowed: true,
  resolve: async () => ['127.0.0.1'],
  timeoutMs: 1_000,
};

describe('destinations of a message', () => {
  const letter = (url: string) => ({ url, headers: {}, body: '{}' });
  const send = async (url: string, more: Partial<PostOptions> = {}) => {
    const line = openAgents();
    try {
      return await post(letter(url), line, { ...OPTIONS, ...more });
    } finally {
      line.close();
    }
  };

  test('no private or special address, also if a name resolves to one, or to one among others', async () => {
    for (const addresses of [
      ['169.254.169.254'],
      ['93.184.216.34', '10.0.0.1'],
      ['::ffff:192.168.0.1'],
      [],
    ]) {
      const answer = await send('https://hook.example.com/', { resolve: async () => addresses });
      expect(answer).toEqual({ status: null, problem: 'the name resolves to a private or special address' });
    }
    expect((await send('http://169.254.169.254/')).status).toBeNull();
  });

  test('the name is resolved once for each message: another address a moment later is refused', async () => {
    const turns = [['127.0.0.1'], ['169.254.169.254']];
    let lookups = 0;
    const resolve = async () => turns[lookups++] ?? [];
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect((await send(url, { resolve })).status).toBe(200);
    expect(lookups).toBe(1);
    expect((await send(url, { resolve })).status).toBeNull();
    expect(receiver.deliveries).toHaveLength(1);
    expect(receiver.deliveries[0]?.headers.host).toBe(new URL(url).host);
  });

  test('no machine of the service’s own in production', async () => {
    expect((await send(receiver.url, { isLoopbackAllowed: false })).status).toBeNull();
    expect(receiver.deliveries).toEqual([]);
  });

  test('no redirect is followed', async () => {
    const elsewhere = await openReceiver();
    receiver.answer((_request, response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await send(receiver.url)).toMatchObject({
      status: 307,
      problem: expect.stringContaining('not followed'),
    });
    expect(elsewhere.deliveries).toEqual([]);
    await elsewhere.close();
  });

  test('a silent receiver, or a name that never resolves, is given up in time', async () => {
    receiver.answer(() => {});
    expect(await send(receiver.url, { timeoutMs: 100 })).toEqual({
      status: null,
      problem: 'no answer within 0.1 s',
    });
    const never = send('https://hook.example.com/', { timeoutMs: 100, resolve: () => new Promise(() => {}) });
    expect(await never).toMatchObject({ status: null });
  });

  test('a slow receiver has its full timeout, and one whose answer never ends delays nothing', {
    tags: ['long'],
  }, async () => {
    receiver.answer((_request, response) => void setTimeout(() => response.end(), 300));
    expect((await send(receiver.url, { timeoutMs: 30_000 })).status).toBe(200);
    receiver.answer((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const line = openAgents();
    for (let letters = 0; letters < 3; letters++)
      expect(await post(letter(receiver.url), line, { ...OPTIONS, timeoutMs: 30_000 })).toMatchObject({
        status: 200,
        problem: null,
      });
    line.close();
  });

  test('only a little of an answer of 10 MB is read', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    receiver.answer((_request, response) => {
      response.on('close', () => closed.resolve());
      const chunk = Buffer.alloc(64 * 1_024);
      const more = () => {
        while (written < 10 * 1_024 * 1_024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    expect((await send(receiver.url)).status).toBe(200);
    await closed.promise;
    expect(written).toBeLessThan(10 * 1_024 * 1_024);
    expect(ANSWER_BYTES_MAX).toBeLessThan(100_000);
  });
});
