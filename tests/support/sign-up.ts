import { randomUUID } from 'node:crypto';

export type SignedIn = { userId: string; cookie: string; email: string; password: string };

/** The cookies that a response sets, as a request sends them. */
export const cookieOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

/** A user with a session, created the way a browser does. */
export async function signUp(
  base: string,
  {
    origin = base,
    email = `${randomUUID()}@example.com`,
  }: { origin?: string; email?: string | undefined } = {},
): Promise<SignedIn> {
  const password = 'correct horse battery';
  const response = await fetch(`${base}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email, password, name: 'Ada' }),
  });
  // A database busy with other tests: nothing was done.
  if (response.status === 503) return signUp(base, { origin, email });
  if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`);
  const { user } = (await response.json()) as { user: { id: string } };
  return { userId: user.id, cookie: cookieOf(response), email, password };
}
