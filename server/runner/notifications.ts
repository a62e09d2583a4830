import { recordEvents } from '../../engine/events.ts';
import type { Notification } from '../../engine/graph/types.ts';
import { lockAccount, transact } from '../../engine/transact.ts';
import type { LiveDeployment } from './deployment.ts';
import type { RunnerContext } from './options.ts';

export type Note = Notification &
  Pick<LiveDeployment, 'accountId' | 'blueprintId'> & { deploymentId: string };

/** Stores what notify nodes said, for Activity and the event stream. Each node limits itself to one a minute. */
export async function storeNotifications({ workOf }: RunnerContext, notes: readonly Note[]): Promise<void> {
  for (const [accountId, own] of Map.groupBy(notes, (note) => note.accountId)) {
    await transact(workOf(accountId), async (tx) => {
      const at = await lockAccount(tx);
      const events = own.map(({ blueprintId, deploymentId, nodeId, stepAt, text }) => ({
        type: 'notification' as const,
        payload: {
          kind: 'notify',
          blueprintId,
          deploymentId,
          nodeId,
          at: new Date(stepAt).toISOString(),
          text,
        },
      }));
      await recordEvents(tx, at, events);
    });
  }
}
