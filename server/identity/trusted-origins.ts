import type { Config } from '../kernel/config.ts';

/** Pages that may act with a session: the public address, and this machine's own names for it outside production. */
export function trustedOrigins({ publicUrl, production, port }: Config): string[] {
  const origins = new Set([new URL(publicUrl).origin]);
  if (!production) origins.add(`http://localhost:${port}`).add(`http://127.0.0.1:${port}`);
  return [...origins];
}
