/** Writes replies to the socket. */
import type { ServerResponse } from 'node:http';
import { CLOCK_HEADER, type FeedClock } from '../venues/clock.ts';
import type { Reply } from './reply.ts';

export function send(
  response: ServerResponse,
  { status, body, headers = {} }: Reply,
  clock: FeedClock,
  text = JSON.stringify(body),
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    [CLOCK_HEADER]: `${clock.now()};speed=${clock.speed}`,
    ...headers,
  });
  response.end(status === 204 ? undefined : text);
}
