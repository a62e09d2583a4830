import { expectOk } from './api.ts';
import type { SignedIn } from './sign-up.ts';
import { codeAt } from './totp-code.ts';
import { type Answer, ORIGIN, type Send } from './world.ts';

/** The cookies as a browser keeps them: the last one set applies, and an emptied one is deleted. */
export function cookiesAfter({ headers }: Answer, before = ''): string {
  const kept = new Map(before.split('; ').flatMap((each) => (each ? [[each.split('=')[0], each]] : [])));
  for (const line of headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const [name = '', value] = pair.split('=');
    if (value === '') kept.delete(name);
    else kept.set(name, pair);
  }
  return [...kept.values()].join('; ');
}

export type Protected = SignedIn & { uri: string; codes: string[] };

/** Sets up an authenticator for a signed-in person. */
export async function secondFactorOf(send: Send, person: SignedIn): Promise<Protected> {
  const auth = (path: string, body: unknown) =>
    send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie: person.cookie }, body });
  const enabled = await auth('two-factor/enable', { password: person.password });
  const { totpURI: uri, backupCodes: codes } = expectOk(enabled) as {
    totpURI: string;
    backupCodes: string[];
  };
  const verified = await auth('two-factor/verify-totp', { code: codeAt(uri) });
  if (verified.status !== 200) throw new Error(`The code was answered ${verified.status}: ${verified.text}`);
  return { ...person, cookie: cookiesAfter(verified, person.cookie), uri, codes };
}
