import { queryOptions } from '@tanstack/react-query';
import { t } from '../language/language.ts';
import { MODE_PREFIX } from './page-mode.ts';
import { client, queryClient } from './trpc.ts';

export type User = { id: string; name: string; email: string; twoFactorEnabled?: boolean | null };

export const PASSWORD_MIN = 12;

/** The signed-in user, by the cookie that the browser keeps; no script can read it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<User | null> => {
    const response = await fetch('/api/auth/get-session');
    if (!response.ok) throw new Error(t('The service does not answer. Try again in a moment.'));
    const body: unknown = await response.json();
    const user = userOf(body);
    notifyOtherTabs(user);
    return user;
  },
  staleTime: 60_000,
});

/** All tabs of a browser share one cookie, so the session that one tab sees holds for the others. */
const tabs = new BroadcastChannel('desk-session');
const notifyOtherTabs = (user: User | null) => tabs.postMessage(user?.id ?? null);

/** Calls back when another tab is signed out, or signed in as another user than this one. */
export function onSessionElsewhere(handler: (isSignedOut: boolean) => void): void {
  tabs.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
    const current = queryClient.getQueryData(sessionQuery.queryKey);
    if (current && current.id !== userId) handler(userId === null);
  };
}

function userOf(body: unknown): User | null {
  if (typeof body !== 'object' || body === null || !('user' in body)) return null;
  return body.user as User;
}

export type SignIn = { email: string; password: string };

export const signIn = (input: SignIn) => enter('sign-in', input);
/** Signs in as the demo user, where the service offers it. */
export const signInAsDemo = () => enterBy('sign-in/demo', {});
export async function signUp({ hasSample, ...input }: SignIn & { name: string; hasSample: boolean }) {
  const entered = await enter('sign-up', input);
  // The account works without the sample; the first steps offer it again.
  if (hasSample) await client.console.sample.mutate({}).catch(() => {});
  return entered;
}

/** Sends the browser to a provider. The provider sends it back to `next`, or to the sign-in page with the error. */
export async function signInWith(provider: string, next: string): Promise<void> {
  const response = await post('/api/auth/sign-in/social', {
    provider,
    callbackURL: next,
    errorCallbackURL: `${MODE_PREFIX}/sign-in`,
  });
  if (!response.ok) throw new Error(await reasonOf(response));
  const { url } = (await response.json()) as { url: string };
  location.assign(url);
}

/** The result of a sign-in: signed in, or a code is also required. */
export type SignInResult = 'in' | 'code';

const enter = (action: 'sign-in' | 'sign-up', input: SignIn) => enterBy(`${action}/email`, input);

async function enterBy(route: string, input: object): Promise<SignInResult> {
  const answer = await callAuth(route, input);
  if (typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer) return 'code';
  await completeSignIn();
  return 'in';
}

/** The second step of a sign-in: the authenticator's code, or a recovery code. */
export async function submitCode(code: string, isRecovery: boolean): Promise<void> {
  await callAuth(`two-factor/verify-${isRecovery ? 'backup-code' : 'totp'}`, { code });
  await completeSignIn();
}

export async function completeSignIn(): Promise<void> {
  queryClient.clear();
  await queryClient.fetchQuery(sessionQuery);
}

/** Changes a way to sign in, and reads the session again. Returns the service's response. */
export async function changeAccount(route: string, body: object): Promise<unknown> {
  const answer = await callAuth(route, body);
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  return answer;
}

/**
 * Calls a route of sign-in; without a body it only reads.
 *
 * @throws Error in words for the user.
 */
export async function callAuth(route: string, body?: unknown): Promise<unknown> {
  const path = `/api/auth/${route}`;
  const response = await (body === undefined ? fetch(path) : post(path, body));
  if (!response.ok) throw new Error(await reasonOf(response));
  return response.json();
}

export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {});
  notifyOtherTabs(null);
  queryClient.clear();
}

const post = (path: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function reasonOf(response: Response): Promise<string> {
  const wait = response.headers.get('retry-after');
  const body: unknown = await response.json().catch(() => null);
  const said = messageOf(body) ?? t('The service answered {status}.', { status: response.status });
  return response.status === 429 && wait ? t('{said} Try again in {wait} s.', { said, wait }) : said;
}

/** The message of an error: under `error`, as the API has it, or at the top level, as its sign-in has it. */
function messageOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('error' in body) return messageOf(body.error);
  return 'message' in body && typeof body.message === 'string' ? body.message : null;
}
