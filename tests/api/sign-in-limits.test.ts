import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, ORIGIN, openWorld, type World } from '../support/world.ts';

/** Small enough to reach, long enough not to restart while a test runs. */
const LIMITS = {
  auth_failures: { points: 10, windowSec: 600 },
  sign_in_address: { points: 1_000, windowSec: 60 },
  sign_in_email: { points: 5, windowSec: 60 },
  sign_up: { points: 1_000, windowSec: 600 },
};

let world: World;

beforeAll(async () => {
  world = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(LIMITS) } });
});
afterAll(() => world.close());

async function times(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < count; done++) statuses.push((await call()).status);
  return statuses;
}

const attempt = (email: string, password: string, headers: Record<string, string> = {}) =>
  world.send('POST', '/api/auth/sign-in/email', {
    headers: { origin: ORIGIN, ...headers },
    body: { email, password },
  });

test('429: more than five failures for one e-mail, whatever address is claimed, and others can sign in', async () => {
  const { email, password } = await world.signUp();
  const neighbour = await world.signUp();
  let sent = 0;
  const failing = () => {
    sent += 1;
    const claimed = `203.0.113.${sent}`;
    return attempt(email.toUpperCase(), 'wrong', {
      'x-forwarded-for': claimed,
      'x-internal-client-ip': claimed,
    });
  };
  expect(await times(6, failing)).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await attempt(` ${email}`, password)).status).toBe(429);
  expect((await attempt(neighbour.email, neighbour.password)).status).toBe(200);
});

test('429: thirty at once do not evade it', async () => {
  const { email } = await world.signUp();
  const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(email, 'wrong')));
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
});

test('successful sign-ins are not counted', async () => {
  const { email, password } = await world.signUp();
  expect(await times(8, () => attempt(email, password))).toEqual(Array(8).fill(200));
});

test('429: more than ten failures from one address', async () => {
  const settings = {
    RATE_LIMITS: JSON.stringify({ ...LIMITS, sign_in_address: { points: 10, windowSec: 60 } }),
  };
  await using limited = await openWorld({ settings });
  let user = 0;
  const failing = () => {
    user += 1;
    const body = { email: `u${user}@example.com`, password: 'wrong password' };
    const headers = { origin: ORIGIN, 'x-forwarded-for': `203.0.113.${user}` };
    return limited.send('POST', '/api/auth/sign-in/email', { headers, body });
  };
  expect(await times(11, failing)).toEqual([...Array(10).fill(401), 429]);
});
