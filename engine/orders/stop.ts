import type { Work } from '../context.ts';

export async function cancelDeploymentOrders(
  _tx: Work,
  _deploymentId: string,
  _options: { now: Date; reason: string; onlyBuys?: boolean },
): Promise<void> {
  throw new Error('under construction');
}
