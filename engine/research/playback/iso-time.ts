let cached = { atMs: Number.NaN, iso: '' };

/** Formats an instant as in rows. Cached, because everything at one instant needs it. */
export function toIsoCached(atMs: number): string {
  if (cached.atMs !== atMs) cached = { atMs, iso: new Date(atMs).toISOString() };
  return cached.iso;
}

/** An instant of the tape as a date. Cached, because its decisions write the time repeatedly. */
export class DateWithCachedIso extends Date {
  override toISOString(): string {
    return toIsoCached(this.getTime());
  }
}
