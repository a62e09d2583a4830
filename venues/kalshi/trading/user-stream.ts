/**
 * Kalshi's user stream: the member's orders and fills as they happen. It has neither sequence numbers nor a replay, so each
 * opening is the end of a gap. Its answer to a list of subscriptions proves that it is alive.
 */
import type { VenueEvent } from '../../broker.ts';
import { keepConnected, type StreamProtocol, type StreamTimes } from '../../http/keep-connected.ts';
import { SECOND_MS } from '../../time.ts';
import { parseFrame } from './answer.ts';
import type { CallsOptions } from './calls.ts';
import { STREAM_PATH } from './sign.ts';

const TIMES: StreamTimes = {
  probeMs: 5 * SECOND_MS,
  silentMs: 15 * SECOND_MS,
  retryMs: 250,
  retryMaxMs: 15 * SECOND_MS,
};

const CHANNELS = ['user_orders', 'fill', 'market_positions'];
const SUBSCRIBE = JSON.stringify({ id: 1, cmd: 'subscribe', params: { channels: CHANNELS } });
const PROBE = JSON.stringify({ id: 2, cmd: 'list_subscriptions' });
/** Each channel is confirmed by its own frame. */
const CONFIRMED = /"type": ?"subscribed"/;

type Options = Pick<CallsOptions, 'signer' | 'hosts' | 'now'> & { readonly streamTimes?: StreamTimes };

export function openUserStream(
  { signer, hosts, now, streamTimes = TIMES }: Options,
  on: (event: VenueEvent) => void,
): { stop(): Promise<void> } {
  const protocolOf = (): StreamProtocol => ({
    url: `${hosts.stream}${STREAM_PATH}`,
    headers: { ...signer.headers('GET', STREAM_PATH, now()) },
    hello: SUBSCRIBE,
    probe: PROBE,
    receive: frameHandler(on),
  });
  return keepConnected(protocolOf, streamTimes);
}

/** Parses the frames of one connection; the sign-in is complete once all channels are confirmed. */
function frameHandler(on: (event: VenueEvent) => void): (text: string) => boolean {
  let subscribed = 0;
  return (text) => {
    const isConfirmed = CONFIRMED.test(text);
    if (isConfirmed) subscribed += 1;
    if (isConfirmed && subscribed === CHANNELS.length) on({ kind: 'gap' });
    const event = parseFrame(text);
    if (event !== null) on(event);
    return subscribed >= CHANNELS.length;
  };
}
