/** Kinds of setting values: their format and bounds. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { APIS, type UrlSetting } from '../../venues/catalogue.ts';
import { parseArchiveUrl } from './archive/location.ts';

/** Documentation of a setting: `docs/settings.md` and `.env.example` are generated from it. */
type About = {
  /** The heading of its group. */
  group: 'Where it is' | 'How it runs' | 'Data' | 'Who may come in' | 'Trading';
  /** The effective value without the setting, if the schema has no default. */
  usual?: string;
  meaning: string;
  /** A value to start from in `.env.example`; empty if there is no example. */
  example: string;
};
export const SETTINGS = z.registry<About>();

/** Returns the effective value without a setting, for the documents: `usual`, else the default. */
export function documentedDefaultOf(schema: z.ZodType, { usual }: About): string {
  if (usual !== undefined) return usual;
  const isGiven = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  const value = isGiven ? String(schema.def.defaultValue) : '';
  return value === '' ? 'none' : `\`${value}\``;
}

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const HOURS = { h: 1, d: 24 } as const;

/** A duration such as `24h` or `30d`, as hours, between two bounds. */
export const duration = (min: string, max: string, usual: string) => {
  const hoursOf = (text: string): number => Number.parseInt(text, 10) * HOURS[text.endsWith('d') ? 'd' : 'h'];
  return z
    .string()
    .regex(/^\d{1,5}[hd]$/, { error: 'must be a time such as 24h or 30d' })
    .transform(hoursOf)
    .refine((hours) => hours >= hoursOf(min) && hours <= hoursOf(max), {
      error: `must be from ${min} to ${max}`,
    })
    .prefault(usual);
};

/** Removes slashes at the end of a text. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** A fraction of a price, or of a dollar: from 0.5 on it would bound nothing. */
export const slippage = (usual: string) =>
  z
    .string()
    .regex(/^0(\.\d{1,6})?$/, { error: 'must be a number such as 0.02' })
    .refine((text) => Number(text) < 0.5, { error: 'must be below 0.5' })
    .default(usual);

export const usd = (usual: string) =>
  z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/, { error: `must be an amount in USD such as ${usual}` })
    .default(usual);

export const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => withoutSlashes(text));

/**
 * A URL without a host, such as `postgres://user:password@/name?host=/var/run/postgresql`, is invalid for other URL parsers.
 */
export const postgresUrl = z
  .string()
  .transform((text) => text.replace('@/', '@localhost/'))
  .pipe(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }));

export const archiveUrl = z.string().transform((text, ctx) => {
  try {
    return parseArchiveUrl(text);
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'must be a URL' });
    return z.NEVER;
  }
});

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** `loopback`, `linklocal`, `uniquelocal`, an address, or a subnet such as `10.0.0.0/8`. */
export function isProxy(item: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true;
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
}

/**
 * The least number of distinct characters in a secret. Of 32 random ones, even hexadecimal, fewer are distinct once in a
 * hundred million times.
 */
export const SECRET_LETTERS_MIN = 8;

export const keyRing = z.string().transform((text, ctx) => {
  try {
    return KeyRing.parse(text);
  } catch (error) {
    const message = `must be a list such as k2:base64,k1:base64: ${error instanceof Error ? error.message : ''}`;
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

const addressOf = (what: string) =>
  url.optional().register(SETTINGS, {
    group: 'Trading',
    usual: 'the venue',
    meaning: `Another address for ${what}, such as a proxy.`,
    example: '',
  });

/** Settings that replace the address of every venue host. */
export const ADDRESSES = Object.fromEntries(
  Object.values(APIS).map(({ setting, host }) => [setting, addressOf(host)]),
) as Record<UrlSetting, ReturnType<typeof addressOf>>;

export const signInSetting = (meaning: string) =>
  z.string().min(1).optional().register(SETTINGS, { group: 'Who may come in', meaning, example: '' });
