/** What was found, a row each, told as it is found. */
import { VENUES } from '../../../venues/port.ts';
import type { Place } from './places.ts';

export type Result = 'ok' | 'not ok' | 'measured' | 'unreachable' | 'left out';
export type Finding = { readonly result: Result; readonly note: string };
export type Row = Finding & { readonly venue: string; readonly check: string };

export const isBad = ({ result }: Finding): boolean => result === 'not ok' || result === 'unreachable';

/** Why nothing came back, by the network's word for it; null where something did. */
export function unreachable(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return code;
  if (name === 'TimeoutError') return 'no answer in time';
  return unreachable(cause);
}

/** Finds out one thing. What throws is a finding, too; an end that was asked for is not. */
export async function find(
  { venue }: Pick<Place, 'venue'>,
  check: string,
  ask: () => Promise<Finding>,
  signal: AbortSignal,
): Promise<Row> {
  const about = { venue: VENUES[venue].title, check };
  try {
    return { ...about, ...(await ask()) };
  } catch (error) {
    signal.throwIfAborted();
    const why = unreachable(error);
    if (why !== null) return { ...about, result: 'unreachable', note: why };
    return { ...about, result: 'not ok', note: error instanceof Error ? error.message : 'it failed' };
  }
}
