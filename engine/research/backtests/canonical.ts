import { createHash } from 'node:crypto';

/** Serializes a value to JSON that depends only on the value: keys are sorted, undefined ones left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
