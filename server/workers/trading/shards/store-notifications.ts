import { underAccountLock } from '../../../../engine/platform/account-lock.ts';
import { audit } from '../../../../engine/platform/audit/audit.ts';
import { booksName } from '../../../../engine/platform/context.ts';
import { recordEvents } from '../../../../engine/platform/events/events.ts';
import type { Notification } from '../../../../engine/strategy/graph/types.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';

export type NotifyNodeMessage = Notification &
  Pick<DeploymentInMemory, 'accountId' | 'mode' | 'blueprintId'> & { deploymentId: string };

/**
 * Stores the messages of notify nodes: for listeners of the event stream now, and in the audit trail for later. Each node
 * limits itself to one a minute at most.
 */
export async function storeNotifications(
  { workOf }: RunnerContext,
  notes: readonly NotifyNodeMessage[],
): Promise<void> {
  for (const own of Map.groupBy(notes, booksName).values()) {
    const [first] = own;
    if (first === undefined) continue;
    await underAccountLock(workOf(first), async (tx, at) => {
      const events = own.map(({ blueprintId, deploymentId, nodeId, stepAt, severity, text }) => ({
        type: 'notification' as const,
        payload: {
          kind: 'notify',
          blueprintId,
          deploymentId,
          nodeId,
          at: new Date(stepAt).toISOString(),
          severity,
          text,
        },
      }));
      await recordEvents(tx, at, events);
      for (const { blueprintId, nodeId, severity, text } of own) {
        await audit(tx, {
          action: 'notify.said',
          subjectId: blueprintId,
          before: null,
          after: { nodeId, severity, text },
          at,
        });
      }
    });
  }
}
