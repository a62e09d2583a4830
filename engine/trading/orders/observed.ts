/** What happens to orders, for whoever measures it: channels of `node:diagnostics_channel`, which cost nothing while nobody listens. */
import { createHash } from 'node:crypto';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { Placed } from '../../../venues/broker.ts';
import type { OrderRow } from './row.ts';

/** Which step of which node raised an intent. */
export type RaisedBy = { deploymentId: string; nodeId: string; stepAt: Date };

/** 16 bytes in hexadecimal digits, as W3C Trace Context has them. */
const TRACE_ID_LENGTH = 32;

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, TRACE_ID_LENGTH);

/**
 * The one id of an intent and all that becomes of it. It follows from what is stored, so that every process knows it at
 * every time, and nothing has to be handed on.
 */
export const traceIdOf = ({ deploymentId, nodeId, stepAt }: RaisedBy): string =>
  digest(`${deploymentId} ${nodeId} ${stepAt.toISOString()}`);

/** The same of an order; that of a person's order follows from its id. */
export function traceIdOfOrder(
  order: Pick<OrderRow, 'id' | 'deployment_id' | 'node_id' | 'step_at'>,
): string {
  const { id, deployment_id: deploymentId, node_id: nodeId, step_at: stepAt } = order;
  if (deploymentId === null || nodeId === null || stepAt === null) return digest(id);
  return traceIdOf({ deploymentId, nodeId, stepAt: new Date(stepAt) });
}

/** An order on its way to its venue. */
export type Sending = {
  orderId: string;
  accountId: string;
  /** Null until the order was looked at: there may be nothing to send. */
  traceId: string | null;
  outcome: 'nothing' | Placed['kind'] | 'lost';
};
export const sendings = tracingChannel<Sending, Sending>('trading.order.send');

/** An order after what its venue said of it was committed. */
export type Reported = {
  orderId: string;
  accountId: string;
  traceId: string;
  status: OrderRow['status'];
  /** Fills that were not booked before. */
  fills: number;
  /** Since the order came into being. */
  ageMs: number;
};
export const reports = channel<Reported, Reported>('trading.order.report');
