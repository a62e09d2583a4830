/** Requests as they end, for whoever measures them: a channel of `node:diagnostics_channel`, which costs nothing while nobody listens. */
import { channel } from 'node:diagnostics_channel';

export type Ended = {
  requestId: string;
  method: string;
  /** What was asked for, as it was sent, without the query. */
  path: string;
  status: number;
  ms: number;
};
export const endedRequests = channel<Ended, Ended>('trading.request');
