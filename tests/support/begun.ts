/**
 * Returns the promise of work that a test begins now and awaits later. Until then a rejection counts as handled. Otherwise a
 * timeout on a slow machine becomes an unhandled rejection, which fails whichever test runs at that moment.
 */
export function begun<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  return work;
}
