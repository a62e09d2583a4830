/**
 * Makes notifications of events and sends them, in a process of its own. The argument is JSON: see `NotifierProcess`. A spare
 * process is loaded first and begins with the first message to it. It answers every later message with the number of steps
 * made. A step stands before and after each statement, and before each request.
 */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { startNotifications } from '../../server/workers/notifications/index.ts';

export type NotifierProcess = {
  readonly connection: DatabaseConnection;
  /** As `CREDENTIAL_KEYS` has them. */
  readonly credentialKeys: string;
  readonly leaseMs?: number;
  readonly isSpare?: boolean;
};
/** Kills itself at this step, counted from 1; never when null. */
export type NotifierStart = { readonly killAtStep: number | null };

const { connection, credentialKeys, leaseMs, isSpare } = JSON.parse(
  process.argv[2] ?? '{}',
) as NotifierProcess;

let killAtStep: number | null = null;
let steps = 0;
function mayDie(): void {
  steps += 1;
  if (steps === killAtStep) process.kill(process.pid, 'SIGKILL');
}

const pool = await openPool(connection, { poolMax: 10 });
pool.native.on('connect', (client) => {
  const ask: unknown = client.query;
  if (typeof ask !== 'function') throw new Error('A connection asks nothing.');
  Object.assign(client, {
    query: (...sent: unknown[]) => {
      mayDie();
      const answer: unknown = Reflect.apply(ask, client, sent);
      return answer instanceof Promise ? answer.finally(mayDie) : answer;
    },
  });
});
// A killed process flushes no cache for those after it: this one does it now.
flushCompileCache();
if (isSpare) [{ killAtStep }] = (await once(process, 'message')) as [NotifierStart];
const tell = (fields: object, message: string) => console.error(message, JSON.stringify(fields));
const notifications = startNotifications({
  pool,
  clock: databaseClock,
  log: { info() {}, warn: tell, error: tell },
  keys: KeyRing.parse(credentialKeys),
  sender: {
    publicUrl: 'https://desk.example',
    isLoopbackAllowed: true,
    resolve: async () => {
      mayDie();
      return ['127.0.0.1'];
    },
    mailer: null,
    pushKeys: null,
  },
  chance: () => 0,
  ...(leaseMs !== undefined && { leaseMs }),
});
process.on('message', () => process.send?.(steps));
process.once('SIGTERM', async () => {
  await notifications.stop();
  await pool.close();
  process.exit(0);
});
process.send?.('started');
