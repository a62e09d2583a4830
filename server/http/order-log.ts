import {
  type RaisedBy,
  type Reported,
  reports,
  type Sending,
  sendings,
  traceIdOf,
} from '../../engine/trading/orders/diagnostics.ts';
import type { Logger } from '../kernel/logger.ts';
import { type DecidedIntent, decisions, type Tick, ticks } from '../kernel/rounds/runner-events.ts';
import { subscribeTo, subscribeToDurations } from '../kernel/subscribe-to.ts';

/**
 * Logs a line for each step of an order, all with one `traceId`: from the tick that raised it to its last fill. Denials are
 * `debug`: they are in the account's own list, and repeat often. Returns a function that ends it.
 */
export function logOrders(log: Logger): () => void {
  const stops = [
    subscribeToDurations<Tick>(ticks, ({ shard, fence, raised }) => {
      for (const intent of raised) log.info({ ...idsOf(intent), shard, fence }, 'an intent was raised');
    }),
    subscribeTo<DecidedIntent>(decisions, ({ accountId, verdict, deniedBy, orderId, ms, ...intent }) => {
      const level = orderId === null || verdict === 'denied' ? 'debug' : 'info';
      const fields = { ...idsOf(intent), accountId, orderId, verdict, deniedBy, ms: Math.round(ms) };
      log[level](fields, 'an intent was decided');
    }),
    subscribeToDurations<Sending>(sendings, ({ traceId, orderId, accountId, outcome }, ms) => {
      if (outcome === 'nothing') return;
      log.info({ traceId, accountId, orderId, outcome, ms: Math.round(ms) }, 'an order was sent');
    }),
    subscribeTo<Reported>(reports, ({ traceId, orderId, accountId, status, fills, ageMs }) => {
      log.info(
        { traceId, accountId, orderId, status, fills, ageMs },
        'a venue reported the state of an order',
      );
    }),
  ];
  return () => stops.forEach((stop) => void stop());
}

const idsOf = ({ deploymentId, nodeId, stepAt }: RaisedBy) => ({
  traceId: traceIdOf({ deploymentId, nodeId, stepAt }),
  deploymentId,
  nodeId,
});
