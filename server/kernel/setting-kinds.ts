/** The kinds of values that settings have: how each is written, and within which bounds. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { APIS, type UrlSetting } from '../../venues/catalogue.ts';

/** What is said of a setting: `docs/settings.md` and `.env.example` are written from it. */
type About = {
  /** The heading it stands under. */
  group: 'Where it is' | 'How it runs' | 'Data' | 'Who may come in' | 'Trading';
  /** Says what holds without it, where that is no default of the schema. */
  usual?: string;
  meaning: string;
  /** A value to start from in `.env.example`; empty where there is none to show. */
  example: string;
};
export const SETTINGS = z.registry<About>();

/** Returns what holds without a setting, for the documents: as it says itself, else its default. */
export function usualOf(schema: z.ZodType, { usual }: About): string {
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

/** A time such as `24h` or `30d`, as hours, between two of these. */
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

/** The text without slashes at its end. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** A part of a price, or of a dollar: at 0.5 and beyond it would bound nothing. */
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

/** Without a host, as `postgres://user:password@/name?host=/var/run/postgresql` has none, it is no URL to anybody else. */
export const postgresUrl = z
  .string()
  .transform((text) => text.replace('@/', '@localhost/'))
  .pipe(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }));

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

/** 32 random characters, even of hexadecimal digits alone, have fewer than this once in a hundred million times. */
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

/** Another address for every host that venues are read from. */
export const ADDRESSES = Object.fromEntries(
  Object.values(APIS).map(({ setting, host }) => [setting, addressOf(host)]),
) as Record<UrlSetting, ReturnType<typeof addressOf>>;

export const signInSetting = (meaning: string) =>
  z.string().min(1).optional().register(SETTINGS, { group: 'Who may come in', meaning, example: '' });
