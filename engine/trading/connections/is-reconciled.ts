/**
 * Whether the books were reconciled with the venue account since it was opened: before that entries are blocked.
 * `openedAt` is when the runner took it over. Pure.
 */
export const isReconciled = (reconciledAt: Date | string | null, openedAt: Date | string | null): boolean =>
  reconciledAt !== null && openedAt !== null && new Date(reconciledAt) >= new Date(openedAt);
