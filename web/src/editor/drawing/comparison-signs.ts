/** Comparisons that have a sign. */
export const COMPARISON_SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤' };
