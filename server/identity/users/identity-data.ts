import { sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import { type Pool, unscopedDb } from '../../../db/pool.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { Principal } from '../../../routers/principal.ts';
import { userOf } from '../confirm-password.ts';

/** Reads all stored data of the signed-in user: user, sign-in methods and sessions; no secret that grants access. */
export const identityDataReader =
  (pool: Pool) =>
  async (principal: Principal): Promise<Json> => {
    const userId = userOf(principal);
    if (userId === undefined) throw DomainError.of('session_required');
    const { rows } = await sql<{ person: Json }>`
      select jsonb_build_object(
        'user', to_jsonb(u),
        'waysIn', (select coalesce(jsonb_agg(jsonb_build_object('provider', a."providerId", 'since', a."createdAt")), '[]')
          from auth.account a where a."userId" = u.id),
        'passkeys', (select coalesce(jsonb_agg(to_jsonb(p) - 'publicKey' - 'credentialID'), '[]')
          from auth.passkey p where p."userId" = u.id),
        'sessions', (select coalesce(jsonb_agg(to_jsonb(s) - 'token'), '[]') from auth.session s where s."userId" = u.id)
      ) as person
      from auth."user" u where u.id = ${userId}`.execute(unscopedDb(pool));
    return rows[0]?.person ?? null;
  };
