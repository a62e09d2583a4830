/** The day a moment belongs to, `YYYY-MM-DD`. Days begin at 00:00 UTC, for everyone. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);
