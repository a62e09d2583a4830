/**
 * Whether the account at the venue was compared with the books since it was opened: before that nothing enters through it.
 * `openedAt` is when whoever trades has taken it over. Pure.
 */
export const isReconciled = (reconciledAt: Date | string | null, openedAt: Date | string | null): boolean =>
  reconciledAt !== null && openedAt !== null && new Date(reconciledAt) >= new Date(openedAt);
