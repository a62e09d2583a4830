import { SECOND_MS } from '../../time.ts';

/** Without a sign of life for so long venue B ends every order of the key; it takes up to five seconds more. */
const SILENT_MS = 10 * SECOND_MS;

/** Signs of life that one process has given, epoch ms by the venue's clock. One that gave none yet knows of no silence. */
export type Beats = {
  readonly lastMs: number | null;
  /** When the last silence ended that was long enough; null: there was none. */
  readonly silentUntilMs: number | null;
};

export const NO_BEATS: Beats = { lastMs: null, silentUntilMs: null };

/** Whether the venue may have taken whoever gave them for dead by now. */
export const isSilent = ({ lastMs }: Beats, nowMs: number): boolean =>
  lastMs !== null && nowMs - lastMs >= SILENT_MS;

/** After another one was taken. Pure. */
export const beaten = (beats: Beats, nowMs: number): Beats => ({
  lastMs: nowMs,
  silentUntilMs: isSilent(beats, nowMs) ? nowMs : beats.silentUntilMs,
});

/** Whether an order that was seen at `seenMs` and is gone may have been ended because no sign of life was heard. Pure. */
export const mayHaveSilenced = (beats: Beats, seenMs: number, nowMs: number): boolean =>
  isSilent(beats, nowMs) || (beats.silentUntilMs !== null && seenMs < beats.silentUntilMs);
