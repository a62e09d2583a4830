import { type Pool, systemDb } from '../../db/pool.ts';
import { findValidKeys } from '../../engine/trading/keys/verify.ts';
import type { FindMovedAccounts, FindValidCredentials } from '../kernel/event-streams.ts';
import type { Auth } from './auth.ts';

/** Finds which sessions and keys of open streams are still valid. */
export const validCredentialFinder =
  (sessions: Auth, pool: Pool): FindValidCredentials =>
  async (credentials) => {
    const idsOf = (kind: 'session' | 'key') =>
      credentials.filter((each) => each.kind === kind).map(({ id }) => id);
    const [open, keys] = await Promise.all([
      openSessions(sessions, idsOf('session')),
      findValidKeys(systemDb(pool), idsOf('key')),
    ]);
    return new Set([...open, ...keys]);
  };

export const movedAccountFinder =
  (pool: Pool): FindMovedAccounts =>
  async (accountIds) => {
    const moved = await systemDb(pool)
      .selectFrom('moved_account')
      .select('id')
      .where('id', 'in', [...accountIds])
      .execute();
    return new Set(moved.map(({ id }) => id));
  };

async function openSessions(sessions: Auth, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { adapter } = await sessions.$context;
  const found = await adapter.findMany<{ id: string; expiresAt: Date }>({
    model: 'session',
    where: [{ field: 'id', operator: 'in', value: ids }],
    limit: ids.length,
  });
  const now = new Date();
  return found.flatMap(({ id, expiresAt }) => (expiresAt > now ? [id] : []));
}
