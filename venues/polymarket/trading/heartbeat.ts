import { SECOND_MS } from '../../time.ts';

/** Without a heartbeat for this long venue B ends every order of the key; it takes up to five seconds more. */
const SILENT_MS = 10 * SECOND_MS;

/** Heartbeats that one process has sent, epoch ms by the venue's clock. A process that has sent none knows of no silence. */
export type HeartbeatTimes = {
  readonly lastMs: number | null;
  /** When the last silence ended that was long enough; null: there was none. */
  readonly silentUntilMs: number | null;
};

export const NO_HEARTBEATS: HeartbeatTimes = { lastMs: null, silentUntilMs: null };

/** Whether the venue may have declared the key's heartbeats missing by now. */
export const isSilent = ({ lastMs }: HeartbeatTimes, nowMs: number): boolean =>
  lastMs !== null && nowMs - lastMs >= SILENT_MS;

/** State after the venue accepted another heartbeat. Pure. */
export const afterHeartbeat = (heartbeats: HeartbeatTimes, nowMs: number): HeartbeatTimes => ({
  lastMs: nowMs,
  silentUntilMs: isSilent(heartbeats, nowMs) ? nowMs : heartbeats.silentUntilMs,
});

/** Whether an order seen at `seenMs` and now missing may have been ended for lack of heartbeats. Pure. */
export const mayHaveEndedOrders = (heartbeats: HeartbeatTimes, seenMs: number, nowMs: number): boolean =>
  isSilent(heartbeats, nowMs) || (heartbeats.silentUntilMs !== null && seenMs < heartbeats.silentUntilMs);
