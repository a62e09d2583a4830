import { describe, expect, test } from 'vitest';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Principal } from '../../routers/principal.ts';
import { CallRateLimiter, type SignInAttempt } from '../../server/http-kit/call-rate-limiter.ts';
import { type BucketName, DEFAULT_LIMITS } from '../../server/kernel/rate-limits.ts';

const keyOf = (id: string, accountId = 'account'): Principal => ({
  kind: 'key',
  accountId,
  mode: 'paper',
  id,
  actor: `key:${id}`,
  label: 'tsk_test',
  scopes: new Set(),
});

const ada: SignInAttempt = { address: 'address', email: 'a@example.com', browser: null };

const limitsWith = (overrides: Partial<Record<BucketName, { points: number; windowSec: number }>>) =>
  new CallRateLimiter({ ...DEFAULT_LIMITS, ...overrides });

async function passed(count: number, limits: CallRateLimiter, principal: Principal): Promise<number> {
  const outcomes = await Promise.all(Array.from({ length: count }, () => limits.consume(principal, 'read')));
  return outcomes.filter(({ refusal }) => refusal === null).length;
}

describe('counting', () => {
  test('exactly as many calls pass as there are points, however many come at once', async () => {
    const limits = limitsWith({ read: { points: 10, windowSec: 60 } });
    expect(await passed(500, limits, keyOf('one'))).toBe(10);
  });

  test('an account’s keys share twice one key’s points', async () => {
    const limits = limitsWith({ read: { points: 10, windowSec: 60 } });
    const counts = [];
    for (const id of ['one', 'two', 'three']) counts.push(await passed(50, limits, keyOf(id)));
    expect(counts).toEqual([10, 10, 0]);
    expect(await passed(50, limits, keyOf('four', 'other account'))).toBe(10);
  });

  test('after its window a key has all its points again', async () => {
    const limits = limitsWith({ read: { points: 2, windowSec: 1 } });
    const principal = keyOf('one');
    expect(await passed(3, limits, principal)).toBe(2);
    const { refusal } = await limits.consume(principal, 'read');
    expect(refusal?.retryAfterSec).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await passed(3, limits, principal)).toBe(2);
  });

  test('off counts nothing', async () => {
    const limits = new CallRateLimiter('off');
    expect(await passed(1_000, limits, keyOf('one'))).toBe(1_000);
    await limits.consumeForm('address');
    await limits.consumeAuthFailure('address');
    for (let done = 0; done < 100; done++) {
      await limits.countSignIn(ada);
      await limits.countSignUp('address');
      await limits.countPassword('user');
    }
    await limits.forgiveSignIn(ada);
  });
});

describe('mails of a forgotten password', () => {
  test('strangers use up only the requests of their own address; the fiftieth mail to an e-mail is the last of an hour', async () => {
    const limits = limitsWith({});
    for (let sent = 0; sent < 5; sent++) await limits.countReset('one');
    await expect(limits.countReset('one')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(limits.countReset('two')).resolves.toBeUndefined();
    const sent: boolean[] = [];
    for (let request = 0; request < 51; request++) sent.push(await limits.mayMailReset('Ada@example.com'));
    expect(sent).toEqual([...Array(50).fill(true), false]);
    expect(await limits.mayMailReset('ada@example.com')).toBe(false);
  });
});

test('registrations of clients count by address, and ten times as many by network', async () => {
  const limits = limitsWith({ registration: { points: 2, windowSec: 60 } });
  const register = (host: number) => limits.countRegistration(`2001:db8:7:${host}::/64`);
  for (let host = 0; host < 10; host++) await Promise.all([register(host), register(host)]);
  await expect(register(10)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(limits.countRegistration('2001:db8:8:0::/64')).resolves.toBeUndefined();
});

describe('sign-ins', () => {
  const refused = (error: unknown) => (error as DomainError).code;
  const passes = (limits: CallRateLimiter, attempt: SignInAttempt) =>
    limits.countSignIn(attempt).then(() => 'passes', refused);

  test('a sign-in that is taken back was never counted', async () => {
    const limits = limitsWith({ sign_in_email_address: { points: 2, windowSec: 60 } });
    for (let done = 0; done < 10; done++) {
      await limits.countSignIn(ada);
      await limits.forgiveSignIn(ada);
    }
    await limits.countSignIn(ada);
    await limits.countSignIn(ada);
    expect(await passes(limits, ada)).toBe('too_many_auth_failures');
  });

  test('of many at once no sign-in beyond the points is tried', async () => {
    const limits = limitsWith({ sign_in_address: { points: 100, windowSec: 60 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => limits.countSignIn(ada)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('without an e-mail only the address counts', async () => {
    const limits = limitsWith({ sign_in_address: { points: 1, windowSec: 60 } });
    const nameless = { ...ada, email: null };
    await limits.countSignIn(nameless);
    expect(await passes(limits, nameless)).toBe('too_many_auth_failures');
    await limits.countSignIn({ ...nameless, address: 'another address' });
  });

  test('a sign-in refused for its address uses no point of the e-mail', async () => {
    const limits = limitsWith({ sign_in_email: { points: 10, windowSec: 60 } });
    for (let done = 0; done < 100; done++) await passes(limits, ada);
    expect(await passes(limits, { ...ada, address: 'another address' })).toBe('passes');
  });

  test('a known browser has only a limit of its own', async () => {
    const limits = limitsWith({
      sign_in_address: { points: 3, windowSec: 60 },
      sign_in_email: { points: 3, windowSec: 60 },
    });
    for (let done = 0; done < 10; done++) await passes(limits, ada);
    const known = { ...ada, browser: 'one' };
    const outcomes = [];
    for (let done = 0; done < 6; done++) outcomes.push(await passes(limits, known));
    expect(outcomes).toEqual([...Array(5).fill('passes'), 'too_many_auth_failures']);
    expect(await passes(limits, { ...ada, browser: 'other' })).toBe('passes');
  });
});

describe('stop-all', () => {
  test('all keys of an account together may call it 200 times a second, and another account as often', async () => {
    const limits = new CallRateLimiter(DEFAULT_LIMITS);
    const brakes = async (accountId: string) => {
      const keys = Array.from({ length: 10 }, (_, n) => keyOf(`${accountId} ${n}`, accountId));
      const outcomes = await Promise.all(
        keys.flatMap((key) => Array.from({ length: 40 }, () => limits.consume(key, 'brake'))),
      );
      return outcomes.filter(({ refusal }) => refusal === null).length;
    };
    expect(await brakes('one')).toBe(200);
    expect(await brakes('other')).toBe(200);
  });
});
