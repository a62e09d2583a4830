import { t } from '../../language/language.ts';

/** The service's hint of a browser's subscription: enough to find the channel of this browser. */
export const pushHint = (endpoint: string): string => `${new URL(endpoint).host}/…${endpoint.slice(-4)}`;

/** `Chrome on Linux`, from a user agent. */
export function browserName(userAgent: string): string {
  const browsers = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ] as const;
  const systems = [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'Mac'],
    ['Linux', 'Linux'],
  ] as const;
  const named = (table: readonly (readonly [string, string])[]) =>
    table.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = named(systems);
  return `${named(browsers) ?? t('Browser')}${system === undefined ? '' : t(' on {system}', { system })}`;
}
