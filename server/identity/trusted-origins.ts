import type { Config } from '../kernel/config.ts';

/**
 * Returns the origins that may act with a session: the public address, and outside production this machine's own names for it.
 */
export function trustedOrigins({ publicUrl, production, port }: Config): string[] {
  const origins = new Set([new URL(publicUrl).origin]);
  if (!production) origins.add(`http://localhost:${port}`).add(`http://127.0.0.1:${port}`);
  return [...origins];
}
