import webPush from 'web-push';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { KeyWrapper } from '../../engine/connections/key-ring.ts';
import type { Clock } from '../../engine/context.ts';
import { keepPushKeys } from '../../engine/notifications/push-key.ts';
import type { Config } from '../config.ts';
import { openMailer } from './mail.ts';
import { type PostOptions, resolveByDns } from './post.ts';
import type { SenderOptions } from './sender.ts';

type Opening = {
  pool: Pool;
  clock: Clock;
  keys: KeyWrapper | null;
  resolve: PostOptions['resolve'] | undefined;
};

/** The ways out of this process, by its settings; its key for push services is made where there is none yet. */
export async function openSender(
  { publicUrl, production, mail }: Config,
  { pool, clock, keys, resolve = resolveByDns }: Opening,
): Promise<SenderOptions> {
  const db = systemDb(pool);
  return {
    publicUrl,
    isLoopbackAllowed: !production,
    resolve,
    mailer: mail && openMailer(mail),
    pushKeys: keys && (await keepPushKeys(db, keys, await clock(db), () => webPush.generateVAPIDKeys())),
  };
}
