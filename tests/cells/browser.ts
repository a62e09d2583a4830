/** A browser at one address: keeps the cookies that it is sent, and forgets those that end. */

import { Authenticator } from '../support/authenticator.ts';

export type Page = { readonly status: number; readonly body: unknown; readonly headers: Headers };

export class Browser {
  readonly base: string;
  readonly #cookies = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  get cookieNames(): string[] {
    return [...this.#cookies.keys()].sort();
  }

  async send(method: string, path: string, body?: unknown): Promise<Page> {
    const response = await fetch(this.base + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: this.base,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    };
  }

  auth = (what: string, body: unknown): Promise<Page> => this.send('POST', `/api/auth/${what}`, body);

  signIn = ({ email, password }: { email: string; password: string }): Promise<Page> =>
    this.auth('sign-in/email', { email, password });

  /** Signs in by GitHub, as `play-github.ts` plays it. Returns where the browser is sent at the end. */
  async signInByProvider(email: string): Promise<string | null> {
    const { body } = await this.auth('sign-in/social', {
      provider: 'github',
      callbackURL: '/',
      errorCallbackURL: '/sign-in',
    });
    const state = new URL((body as { url: string }).url).searchParams.get('state');
    const code = Buffer.from(email).toString('base64url');
    const { headers } = await this.send('GET', `/api/auth/callback/github?code=${code}&state=${state}`);
    return headers.get('location');
  }

  async addPasskey(password: string): Promise<Authenticator> {
    const device = new Authenticator(this.base);
    const { body } = await this.send('GET', '/api/auth/passkey/generate-register-options');
    const response = device.register(body as { challenge: string });
    const added = await this.auth('passkey/verify-registration', { response, name: 'Laptop', password });
    if (added.status !== 200) throw new Error(`A passkey was not added: ${JSON.stringify(added.body)}`);
    return device;
  }

  async signInWith(device: Authenticator): Promise<Page> {
    const { body } = await this.send('GET', '/api/auth/passkey/generate-authenticate-options');
    return this.auth('passkey/verify-authentication', {
      response: device.signIn(body as { challenge: string }),
    });
  }
}
