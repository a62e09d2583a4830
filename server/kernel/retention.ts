/** Retention of temporary rows, hours. */
export type RetentionHours = {
  readonly events: number;
  readonly denied: number;
  readonly equity: number;
  readonly sessions: number;
};

export const DEFAULT_RETENTION: RetentionHours = { events: 24, denied: 720, equity: 87_600, sessions: 24 };
