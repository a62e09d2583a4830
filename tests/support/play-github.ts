/**
 * Plays GitHub to the sign-in of this process, once imported: a code is the e-mail of the person in base64url, and the same person
 * has the same number: that of the e-mail, or of a former one behind a space. Other addresses are fetched as ever.
 */

import { createHash } from 'node:crypto';

const fetchElsewhere = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === 'github.com') {
    const code = new URLSearchParams(String(init?.body)).get('code');
    return Response.json({ access_token: code, token_type: 'bearer', scope: 'user:email' });
  }
  if (url.hostname !== 'api.github.com') return fetchElsewhere(input, init);
  const token = /Bearer (\S+)/.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1] ?? '';
  const [email = '', former = email] = Buffer.from(token, 'base64url').toString().split(' ');
  const id = createHash('sha256').update(former).digest().readUInt32BE();
  if (url.pathname === '/user/emails') return Response.json([{ email, primary: true, verified: true }]);
  return Response.json({ id, login: 'ada', name: 'Ada', email });
};
