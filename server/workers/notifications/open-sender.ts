import webPush from 'web-push';
import { type Pool, systemDb } from '../../../db/pool.ts';
import { ensurePushKeys, type PushKeys } from '../../../engine/notifications/push-key.ts';
import type { Clock } from '../../../engine/platform/context.ts';
import { CredentialError } from '../../../engine/trading/connections/credentials/credential-error.ts';
import type { KeyWrapper } from '../../../engine/trading/connections/credentials/key-ring.ts';
import type { Config } from '../../kernel/config.ts';
import type { Logger } from '../../kernel/logger.ts';
import { openMailer } from './mail.ts';
import { type PostOptions, resolveByDns } from './post.ts';
import type { SenderOptions } from './sender.ts';

type Opening = {
  pool: Pool;
  clock: Clock;
  keys: KeyWrapper | null;
  resolve: PostOptions['resolve'] | undefined;
  log: Logger;
};

/** Opens the transports that the settings allow. Creates the key for push services if there is none yet. */
export async function openSender(
  { publicUrl, production, mail }: Config,
  { pool, clock, keys, resolve = resolveByDns, log }: Opening,
): Promise<SenderOptions> {
  return {
    publicUrl,
    isLoopbackAllowed: !production,
    resolve,
    mailer: mail && openMailer(mail),
    pushKeys: keys && (await readPushKeys(pool, { clock, keys, log })),
  };
}

/** If the push key cannot be unsealed, the service starts without browser notifications. */
async function readPushKeys(
  pool: Pool,
  { clock, keys, log }: { clock: Clock; keys: KeyWrapper; log: Logger },
): Promise<PushKeys | null> {
  const db = systemDb(pool);
  try {
    return await ensurePushKeys(db, keys, await clock(db), () => webPush.generateVAPIDKeys());
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    log.error({ code: error.code }, `browser notifications are off: ${error.message}`);
    return null;
  }
}
