/** Publishes requests as they end: a channel of `node:diagnostics_channel`, free of cost without a subscriber. */
import { channel } from 'node:diagnostics_channel';

export type EndedRequest = {
  requestId: string;
  method: string;
  /** The path as it was sent, without the query. */
  path: string;
  status: number;
  ms: number;
};
export const endedRequests = channel<EndedRequest, EndedRequest>('trading.request');
