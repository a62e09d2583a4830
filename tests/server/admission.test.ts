import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { Admission } from '../../server/http-kit/admission.ts';
import { CpuTimeBudget } from '../../server/http-kit/cpu-time-budget.ts';
import { AccountCpuMeter } from '../../server/kernel/account-cpu-meter.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';

const LIMIT = { points: 250, windowSec: 1 };

test('an account may spend its share at once, and is out of debt once time has paid it back', () => {
  let nowMs = 0;
  const share = new CpuTimeBudget(LIMIT, () => nowMs);
  share.spend('a', 250);
  expect(share.waitMs('a')).toBe(0);
  share.spend('a', 50);
  expect(share.waitMs('a')).toBe(200);
  expect(share.waitMs('b')).toBe(0);
  nowMs = 100;
  expect(share.waitMs('a')).toBe(100);
  share.spend('a', -50);
  expect(share.waitMs('a')).toBe(0);
  nowMs = 1e9;
  share.spend('a', 251);
  expect(share.waitMs('a')).toBe(4);
  nowMs = 0;
  expect(share.waitMs('a')).toBeGreaterThan(0);
});

test('the thread works for the account that was marked last, until its turn ends', async () => {
  let nowMs = 0;
  const spent = new Map<string, number>();
  const meter = new AccountCpuMeter(
    (account, ms) => spent.set(account, (spent.get(account) ?? 0) + ms),
    () => nowMs,
  );
  meter.mark('a');
  nowMs = 10;
  meter.mark('b');
  nowMs = 15;
  meter.mark('a');
  nowMs = 18;
  await new Promise(setImmediate);
  nowMs = 1_000;
  meter.mark('b');
  expect(Object.fromEntries(spent)).toEqual({ a: 13, b: 5 });
});

/** A request that ends when its test says so. */
function openRequest(admission: Admission, bytes = 0) {
  const over: (() => void)[] = [];
  const exchange = {
    request: { headers: { 'content-length': String(bytes) }, socket: { bytesWritten: 0 } },
    response: { writableLength: 0 },
  } as unknown as { request: IncomingMessage; response: ServerResponse };
  const { enter, leave } = admission.ofRequest(exchange, (callback) => void over.push(callback));
  return { enter, leave, end: () => over.forEach((callback) => void callback()) };
}

/** Sends a request of each account. Returns those that are worked on. */
function askFor(admission: Admission, accounts: readonly string[], bytes = 0) {
  const entered: string[] = [];
  const requests = accounts.map((account) => {
    const request = openRequest(admission, bytes);
    void request.enter(account).then(
      () => entered.push(account),
      () => {},
    );
    return request;
  });
  return { entered, requests };
}
const settle = () => new Promise(setImmediate);

test('an account has its share of the requests worked on at once, and another is worked on beside it', async () => {
  const many = Array<string>(CAPACITY.requestsPerAccount + 5).fill('a');
  const { entered, requests } = askFor(new Admission(null), [...many, 'b']);
  await settle();
  expect(entered.filter((account) => account === 'a')).toHaveLength(CAPACITY.requestsPerAccount);
  expect(entered).toContain('b');
  for (const { end } of requests) end();
  await settle();
  expect(entered).toHaveLength(many.length + 1);
});

test('a request waits once for all of its calls, and an event stream returns its slot', async () => {
  const admission = new Admission(null);
  const streams = askFor(admission, Array<string>(CAPACITY.requestsPerAccount).fill('a'));
  await settle();
  const request = openRequest(admission);
  const calls = Promise.all([request.enter('a'), request.enter('a')]);
  streams.requests[0]?.leave();
  streams.requests[0]?.end();
  await calls;
  const next = askFor(admission, ['a']);
  await settle();
  expect(next.entered).toEqual([]);
});

test('an account in debt waits until it is paid back, one request at a time, and is refused if that takes too long', async () => {
  const admission = new Admission({ points: 1_000, windowSec: 1 });
  const large = openRequest(admission, 7_500_000);
  await large.enter('a');
  const later = askFor(admission, ['a', 'a', 'b']);
  await settle();
  expect(later.entered).toEqual(['b']);
  await expect.poll(() => later.entered).toEqual(['b', 'a']);
  large.end();
  for (const { end } of later.requests) end();
  await expect.poll(() => later.entered).toEqual(['b', 'a', 'a']);
  for (const { end } of later.requests) end();
  await openRequest(admission, 50_000_000).enter('a');
  await expect(openRequest(admission).enter('a')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(
      /^The requests of this account have taken more time of the processor than their share\. Wait \d+ s,/,
    ),
  });
});

test('requests with large bodies of one account are worked on one by one, those of another beside them', async () => {
  const admission = new Admission(null);
  const { entered, requests } = askFor(admission, ['a', 'a', 'b'], 64 * 1_024);
  await expect.poll(() => entered.toSorted()).toEqual(['a', 'b']);
  const { entered: small } = askFor(admission, ['a']);
  await expect.poll(() => small).toEqual(['a']);
  expect(entered.toSorted()).toEqual(['a', 'b']);
  requests[0]?.end();
  await expect.poll(() => entered.toSorted()).toEqual(['a', 'a', 'b']);
});
