import { createHmac } from 'node:crypto';

const PERIOD_MS = 30_000;
/** Periods before and after the present one whose codes are accepted, because clocks differ. */
const WINDOW = 1;

/** Returns the code of one period: RFC 4226 with SHA-1 and six digits. */
export function totpAt(secret: string, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', secret).update(message).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns the period of a code among those accepted now; null if there is none. */
export function matchingTimeStep(secret: string, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / PERIOD_MS);
  for (let counter = now - WINDOW; counter <= now + WINDOW; counter++)
    if (totpAt(secret, counter) === code) return counter;
  return null;
}
