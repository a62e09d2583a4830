import { MODE_PREFIX } from '../api/page-mode.ts';
import { readProblem } from '../api/problem.ts';
import { client, handleCallError, queryClient } from '../api/trpc.ts';
import { applyEvent } from './apply-event.ts';
import { browserClock } from './browser-clock.ts';
import type { LiveEvent } from './events.ts';
import type { Attempt } from './live-connection.ts';
import { type Browser, type Message, SharedStreamTab } from './shared-stream-tab.ts';
import { useLive } from './store.ts';

const CHECK_MS = 2_000;
/** Tabs of one mode share a stream; those of the other mode do not receive it. */
const CHANNEL = `desk-live${MODE_PREFIX}`;
const LOCK = `${CHANNEL}-leader`;

/** Subscribes once: the library would reopen it in some cases and not in others. */
function connect({ lastEventId, topics, heard, ended }: Attempt<LiveEvent>): () => void {
  const subscription = client.events.subscribe(
    { ...(lastEventId !== null && { lastEventId: String(lastEventId) }), blueprintIds: [...topics] },
    {
      onData: ({ id, data }) => heard(Number(id), data),
      onConnectionStateChange: ({ state, error }) => {
        if (state === 'connecting' && error) ended('broken');
      },
      onComplete: () => ended('completed'),
      onError: (error) => {
        const isSignedOut = readProblem(error).status === 401;
        ended(isSignedOut ? 'signed-out' : 'broken');
        if (isSignedOut) handleCallError(error);
      },
    },
  );
  return () => subscription.unsubscribe();
}

/** Leads while it holds the lock; in a browser without locks, every tab leads. */
function lead({ seize, granted, lost }: Parameters<Browser<LiveEvent>['lead']>[0]): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const hold = () =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      granted();
    });
  if (!navigator.locks) {
    void hold();
    return () => ended.abort();
  }
  navigator.locks.request(LOCK, seize ? { steal: true } : { signal }, hold).catch(() => {
    if (!signal.aborted) lost();
  });
  return () => ended.abort();
}

/** Starts the live stream; the returned function stops it. */
export function startStream(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const channel = new BroadcastChannel(CHANNEL);
  const tab = new SharedStreamTab<LiveEvent>(
    {
      clock: browserClock,
      random: Math.random,
      connect,
      lead,
      tab: crypto.getRandomValues(new Uint32Array(2)).join('-'),
      post: (message) => {
        if (!signal.aborted) channel.postMessage(message);
      },
      isSeen: () => document.visibilityState === 'visible',
    },
    {
      onEvent: applyEvent,
      onState: ({ state, attempts, lastSeenAt }) =>
        useLive.setState({ connection: state, attempts, lastSeenAt: lastSeenAt?.wallMs ?? null }),
      onBack: () => void queryClient.invalidateQueries(),
    },
  );
  current = tab;
  channel.onmessage = ({ data }: MessageEvent<Message<LiveEvent>>) => tab.take(data);
  const timer = setInterval(() => tab.check(), CHECK_MS);
  const wake = () => tab.wake();
  document.addEventListener('visibilitychange', wake, { signal });
  document.addEventListener('resume', wake, { signal });
  window.addEventListener('pageshow', wake, { signal });
  window.addEventListener('online', wake, { signal });
  tab.start();
  return () => {
    ended.abort();
    clearInterval(timer);
    tab.stop();
    channel.close();
    if (current === tab) current = null;
    useLive.setState({ connection: 'connecting', lastSeenAt: null, attempts: 0 });
  };
}

let current: SharedStreamTab<LiveEvent> | null = null;

/** The blueprint whose node states this tab shows, or none. */
export const watchBlueprint = (blueprintId: string | null) => current?.show(blueprintId);
