import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { SignedOutError, UsageError } from './io.ts';

/** The address of the service, and a key of the account. */
export type Account = { url: string; key: string };

/** Removes slashes at the end of an address. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

type Env = Readonly<Record<string, string | undefined>>;

const folderOf = (env: Env): string =>
  path.join(env['XDG_CONFIG_HOME'] ?? path.join(env['HOME'] ?? homedir(), '.config'), 'trading-strategy');
const PROFILE = /^[A-Za-z0-9][\w-]{0,63}$/;
/** The profile of a sign-in without a name. */
export const DEFAULT_PROFILE = 'default';

/** @throws UsageError for a name that cannot be that of a file. */
function fileOf(env: Env, profile: string): string {
  if (profile === DEFAULT_PROFILE) return path.join(folderOf(env), 'account.json');
  if (!PROFILE.test(profile))
    throw new UsageError(
      `${JSON.stringify(profile)} is not a name of a profile: 1 to 64 letters, digits, hyphens or underscores.`,
    );
  return path.join(folderOf(env), 'profiles', `${profile}.json`);
}

/** The profile of a command: that of `--profile`, else of the environment, else `default`. */
export const profileOf = (env: Env, given: string | boolean | undefined): string =>
  typeof given === 'string' ? given : env['TRADING_STRATEGY_PROFILE'] || DEFAULT_PROFILE;

/**
 * Returns the account of the given profile. Without one: that of the environment, else of the profile that it names, else of
 * the default profile.
 *
 * @throws SignedOutError if there is none.
 * @throws UsageError if other users can read its file.
 */
export async function readAccount(env: Env, given?: string | boolean): Promise<Account> {
  const { TRADING_STRATEGY_URL: url, TRADING_STRATEGY_KEY: key } = env;
  if (given === undefined && url && key) return { url: withoutSlashes(url), key };
  const profile = profileOf(env, given);
  const stored = await storedAccount(fileOf(env, profile));
  if (stored !== null) return stored;
  const option = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`;
  throw new SignedOutError(
    `Not signed in: trading-strategy login <url>${option}, or set TRADING_STRATEGY_URL and TRADING_STRATEGY_KEY.`,
  );
}

async function storedAccount(file: string): Promise<Account | null> {
  const mode = await stat(file).then(
    (found) => found.mode,
    () => null,
  );
  if (mode === null) return null;
  // Windows has no such modes.
  if ((mode & 0o077) !== 0 && process.platform !== 'win32')
    throw new UsageError(`${file} holds a key and other users can read it. Make it yours: chmod 600 ${file}`);
  return readFile(file, 'utf8')
    .then(accountIn)
    .catch(() => null);
}

/** The profiles that are signed in, with the address of each; the keys stay where they are. */
export async function listProfiles(env: Env): Promise<{ profile: string; url: string }[]> {
  const names = await readdir(path.join(folderOf(env), 'profiles')).catch((): string[] => []);
  const profiles = [DEFAULT_PROFILE, ...names.map((name) => name.replace(/\.json$/, '')).sort()];
  const found = await Promise.all(
    profiles
      .filter((profile) => PROFILE.test(profile))
      .map(async (profile) => ({ profile, account: await storedAccount(fileOf(env, profile)) })),
  );
  return found.flatMap(({ profile, account }) => (account === null ? [] : [{ profile, url: account.url }]));
}

function accountIn(text: string): Account | null {
  const { url, key } = (JSON.parse(text) ?? {}) as Partial<Account>;
  return typeof url === 'string' && typeof key === 'string' ? { url, key } : null;
}

/** Stores the account in a file that only this user can read. */
export async function storeAccount(
  env: Env,
  account: Account,
  profile: string = DEFAULT_PROFILE,
): Promise<string> {
  const file = fileOf(env, profile);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // The mode applies to a new file only, and an existing one may be a link.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(account)}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

export const forgetAccount = async (env: Env, profile: string): Promise<void> =>
  rm(fileOf(env, profile), { force: true });
