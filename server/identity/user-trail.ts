import type { Json } from '../../db/json.ts';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { audit } from '../../engine/platform/audit/audit.ts';
import { databaseClock, openWork } from '../../engine/platform/context.ts';
import {
  findAccountOfUser,
  findOrCreateAccountOfUser,
} from '../../engine/trading/accounts/provision-account.ts';
import { statusOf, toDomainError } from '../../routers/errors.ts';
import type { Logger } from '../kernel/logger.ts';

/** An event of a user's sign-in methods. `requestId` is null for an operator on the command line. */
export type UserEvent = {
  userId: string;
  action:
    | 'user.signed_up'
    | 'session.started'
    | 'session.code_asked'
    | 'session.ended'
    | 'password.changed'
    | 'second_factor.turned_on'
    | 'second_factor.turned_off'
    | 'second_factor.codes_made'
    | 'passkey.added'
    | 'passkey.removed'
    | 'operator.granted'
    | 'operator.revoked';
  subjectId: string;
  after: Json;
  requestId: string | null;
};

export type UserTrail = {
  /** Opens the account of a new user. If this fails, the next request does it. */
  open: (user: { id: string; name: string }) => Promise<void>;
  /** Writes a row of the audit trail, which only the account's own sessions read. */
  record: (event: UserEvent) => Promise<void>;
};

/** Follows the framework's users in our accounts. Its own work is done by then: no failure here undoes a sign-in. */
export function openUserTrail(options: { pool: Pool; paperCash: string; log: Logger }): UserTrail {
  const { pool, paperCash, log } = options;
  const logged = async (what: string, task: () => Promise<unknown>) => {
    try {
      await task();
    } catch (error) {
      const passes = statusOf(toDomainError(error)) === 503;
      log[passes ? 'warn' : 'error']({ error: error instanceof Error ? error.message : String(error) }, what);
    }
  };
  return {
    open: ({ id, name }) =>
      logged('the account of a new user was not opened yet', () =>
        findOrCreateAccountOfUser(pool, { userId: id, name, paperCash }),
      ),
    record: ({ userId, action, subjectId, after, requestId }) =>
      logged('a row of the audit trail was not written', async () => {
        const accountId = await findAccountOfUser(unscopedDb(pool), userId);
        if (accountId === undefined) return;
        const actor = requestId === null ? 'system' : `session:${userId}`;
        const work = openWork(pool, { accountId, mode: 'paper', actor, requestId, clock: databaseClock });
        await audit(work, {
          action,
          mode: null,
          subjectId,
          before: null,
          after,
          at: await work.clock(work.db),
        });
      }),
  };
}
