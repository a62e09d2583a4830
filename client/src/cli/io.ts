/** Everything outside the service that a command may use: the terminal, the environment and the user's files. */
export type Io = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Reads a line from the terminal; null without a terminal. */
  ask: ((question: string) => Promise<string>) | null;
  /** Lines of standard input, as they arrive. */
  lines: () => AsyncIterable<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user interrupts. */
  signal: AbortSignal;
};

/** Exit codes, which scripts rely on. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, signedOut: 4, invalid: 5 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** A command with wrong arguments. */
export class UsageError extends Error {}

/** A command needs an account and there is none. */
export class SignedOutError extends Error {}

/** Files or strategies are not what was planned. */
export class PlanChanged extends Error {}

/** Text for a terminal: foreign text cannot move the cursor or color the rest. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Formats rows in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_cell, column) =>
    Math.max(...rows.map((row) => plain(row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => plain(cell).padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
