import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { SignedOutError } from './io.ts';

/** The address of the service, and a key of the account. */
export type Account = { url: string; key: string };

/** Removes slashes at the end of an address. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

type Env = Readonly<Record<string, string | undefined>>;

const fileOf = (env: Env): string =>
  path.join(
    env['XDG_CONFIG_HOME'] ?? path.join(env['HOME'] ?? homedir(), '.config'),
    'trading-strategy',
    'account.json',
  );

/**
 * Returns the account of the environment, else the one that the user signed in to.
 *
 * @throws SignedOutError if there is neither.
 */
export async function readAccount(env: Env): Promise<Account> {
  const { TRADING_STRATEGY_URL: url, TRADING_STRATEGY_KEY: key } = env;
  if (url && key) return { url: withoutSlashes(url), key };
  const stored = await readFile(fileOf(env), 'utf8')
    .then(accountIn)
    .catch(() => null);
  if (stored !== null) return stored;
  throw new SignedOutError(
    'Not signed in: trading-strategy login <url>, or set TRADING_STRATEGY_URL and TRADING_STRATEGY_KEY.',
  );
}

function accountIn(text: string): Account | null {
  const { url, key } = (JSON.parse(text) ?? {}) as Partial<Account>;
  return typeof url === 'string' && typeof key === 'string' ? { url, key } : null;
}

/** Stores the account in a file that only this user can read. */
export async function storeAccount(env: Env, account: Account): Promise<string> {
  const file = fileOf(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // The mode applies to a new file only, and an existing one may be a link.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(account)}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

export const forgetAccount = (env: Env): Promise<void> => rm(fileOf(env), { force: true });
