/** Number of equal rereads before a difference counts. */
export const EQUAL_REREADS = 3;

/**
 * Reads a venue until enough consecutive reads are equal. A read that `agrees` with the books counts at once. Any other must
 * repeat {@link EQUAL_REREADS} times, so that a list that is empty once does not count. Returns null if the reads stay inconsistent;
 * throws if a read fails.
 */
export async function readConsistently<Answer>(
  read: () => Promise<Answer>,
  {
    agrees,
    isSame,
    pause,
  }: {
    readonly agrees: (answer: Answer) => boolean | Promise<boolean>;
    readonly isSame: (a: Answer, b: Answer) => boolean;
    readonly pause: () => Promise<void>;
  },
): Promise<Answer | null> {
  const first = await read();
  if (await agrees(first)) return first;
  let last = first;
  let same = 0;
  // A read that changes once may still become stable.
  for (let reads = 0; reads < 2 * EQUAL_REREADS && same < EQUAL_REREADS; reads++) {
    await pause();
    const next = await read();
    if (await agrees(next)) return next;
    same = isSame(last, next) ? same + 1 : 0;
    last = next;
  }
  return same < EQUAL_REREADS ? null : last;
}
