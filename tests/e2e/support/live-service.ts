import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type Guest, newGuest, open } from './browser.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** The credentials that connect a venue account of the tests. */
export const CREDENTIALS = {
  apiKey: `apiKeyOfTheTests${'0'.repeat(30)}x3Kq`,
  secret: 'theSecretNobodyMaySeeAgain0123456789',
} as const;

/** A service that trades live, for the tests of one file; with extra environment where they need it. */
export function liveService(env: Record<string, string> = {}) {
  let service: ServiceProcess | null = null;
  beforeAll(async () => {
    service = await startServiceProcess({
      CONSOLE_BUILD: '0',
      DEMO: '0',
      LOG_LEVEL: 'warn',
      LIVE_TRADING: 'on',
      CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      ...env,
    });
  });
  afterAll(() => service?.stop());
  const running = (): ServiceProcess => {
    if (service === null) throw new Error('The service is not started yet.');
    return service;
  };
  return {
    service: running,
    guest: (): Promise<Guest> => newGuest({}, running().base),
    show: ({ page }: Guest, path: string): Promise<void> => open(page, path, running().base),
  };
}

/** A venue account of the guest, not checked yet. */
export const connected = (guest: Guest, label = 'Small'): Promise<{ id: string }> =>
  guest.api('POST', '/api/venue-connections', {
    venue: 'crypto',
    environment: 'demo',
    label,
    credentials: CREDENTIALS,
    password: guest.password,
  });
