import { systemWork } from '../../../../engine/platform/context.ts';
import { failDeployment } from '../../../../engine/usecases/blueprints/running/fail.ts';
import type { OrderWorkOptions } from './order-work.ts';

/**
 * Puts a blueprint into error after a venue refused three of its orders in a row for the same reason. Retries would not help.
 */
export const failAfterRefusals =
  ({
    pool,
    clock,
  }: Pick<OrderWorkOptions, 'pool' | 'clock'>): NonNullable<OrderWorkOptions['onRefusedInARow']> =>
  async ({ deploymentId, reason, ...books }) => {
    const message = `The venue refused three orders in a row: ${reason} Entries are halted, exits keep guarding. Correct the graph, then deploy it again.`;
    await failDeployment(systemWork(pool, books, clock), deploymentId, message);
  };
