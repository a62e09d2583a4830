import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../../db/pool.ts';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { SignedInSession } from '../../../routers/context.ts';
import type { Principal } from '../../../routers/principal.ts';
import { userOf } from '../confirm-password.ts';

type Row = { id: string; startedAt: string; seenAt: string; address: string | null; agent: string | null };

/** The most characters of a user agent to return. */
const AGENT_MAX = 200;

/** Lists a user's sessions, the newest first, without their tokens. */
export const sessionReader =
  (pool: Pool) =>
  async (principal: Principal): Promise<SignedInSession[]> => {
    const userId = userOf(principal);
    if (userId === undefined) throw DomainError.of('session_required');
    const { rows } = await sql<Row>`
      select id, "createdAt" as "startedAt", "updatedAt" as "seenAt", "ipAddress" as address,
        left("userAgent", ${AGENT_MAX}::int) as agent
      from auth.session where "userId" = ${userId} and "expiresAt" > now() order by "createdAt" desc, id`.execute(
      unscopedDb(pool),
    );
    return rows.map(({ startedAt, seenAt, ...row }) => ({
      ...row,
      startedAt: toIso(startedAt),
      seenAt: toIso(seenAt),
      isCurrent: row.id === principal.id,
    }));
  };
