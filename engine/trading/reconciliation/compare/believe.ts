/** How often the same has to be read again before it is believed that it differs. */
export const RE_READS = 3;

/**
 * What a venue says, once it has said the same often enough in a row. A first answer that `agrees` with the books is believed
 * at once; any other has to come {@link RE_READS} times more, so that a list that was empty once is nothing. Null where the venue says
 * another thing each time. A read that fails is no answer at all, and fails this.
 */
export async function believed<Answer>(
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
  // An answer that changes once may still settle.
  for (let reads = 0; reads < 2 * RE_READS && same < RE_READS; reads++) {
    await pause();
    const next = await read();
    if (await agrees(next)) return next;
    same = isSame(last, next) ? same + 1 : 0;
    last = next;
  }
  return same < RE_READS ? null : last;
}
