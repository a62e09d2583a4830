/** Findings, one row each, reported as they come. */
import { VENUES } from '../../../venues/port.ts';
import type { CheckTarget } from './check-targets.ts';

export type Result = 'ok' | 'not ok' | 'measured' | 'unreachable' | 'left out';
export type Finding = { readonly result: Result; readonly note: string };
export type Row = Finding & { readonly venue: string; readonly check: string };

export const isBad = ({ result }: Finding): boolean => result === 'not ok' || result === 'unreachable';

/** Returns the network's error code if no answer arrived; null otherwise. */
export function networkErrorOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return code;
  if (name === 'TimeoutError') return 'no answer in time';
  return networkErrorOf(cause);
}

/** Runs one check. An error is a finding, too; an abort is not. */
export async function runCheck(
  { venue }: Pick<CheckTarget, 'venue'>,
  check: string,
  ask: () => Promise<Finding>,
  signal: AbortSignal,
): Promise<Row> {
  const about = { venue: VENUES[venue].title, check };
  try {
    return { ...about, ...(await ask()) };
  } catch (error) {
    signal.throwIfAborted();
    const why = networkErrorOf(error);
    if (why !== null) return { ...about, result: 'unreachable', note: why };
    return { ...about, result: 'not ok', note: error instanceof Error ? error.message : 'it failed' };
  }
}
