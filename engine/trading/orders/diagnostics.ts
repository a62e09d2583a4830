/** Publishes order activity for metrics and traces. Channels of `node:diagnostics_channel` cost nothing when unused. */
import { createHash } from 'node:crypto';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { PlaceResult } from '../../../venues/broker.ts';
import type { OrderRow } from './row.ts';

/** The node and step that raised an intent. */
export type RaisedBy = { deploymentId: string; nodeId: string; stepAt: Date };

/** 16 bytes as hexadecimal digits, as in W3C Trace Context. */
const TRACE_ID_LENGTH = 32;

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, TRACE_ID_LENGTH);

/**
 * Returns the trace id of an intent and everything that follows from it. It is derived from stored values, so that every
 * process computes the same id without passing it on.
 */
export const traceIdOf = ({ deploymentId, nodeId, stepAt }: RaisedBy): string =>
  digest(`${deploymentId} ${nodeId} ${stepAt.toISOString()}`);

/** Returns the trace id of an order; for a manual order it is derived from the order's id. */
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
  /** Null until the order is loaded: there may be nothing to send. */
  traceId: string | null;
  outcome: 'nothing' | PlaceResult['kind'] | 'lost';
};
export const sendings = tracingChannel<Sending, Sending>('trading.order.send');

/** An order after a report of its venue was committed. */
export type Reported = {
  orderId: string;
  accountId: string;
  traceId: string;
  status: OrderRow['status'];
  /** Newly booked fills. */
  fills: number;
  /** Time since the order was created. */
  ageMs: number;
};
export const reports = channel<Reported, Reported>('trading.order.report');
