/** Strategies in error; those with the same error are together, in the order of the list. */
export const failedByError = <Strategy extends { status: string; error: string | null }>(
  strategies: readonly Strategy[],
): [error: string, strategies: Strategy[]][] => [
  ...Map.groupBy(
    strategies.filter(({ status }) => status === 'error'),
    ({ error }) => error ?? '',
  ),
];
