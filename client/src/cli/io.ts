/** What a command may touch besides the service: the terminal, the environment, files of the person. */
export type Io = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** A line that a person types; null where nobody is there to ask. */
  ask: ((question: string) => Promise<string>) | null;
  /** Lines of standard input, as they come. */
  lines: () => AsyncIterable<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person has seen enough. */
  signal: AbortSignal;
};

/** How a command ends; scripts go by these. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, signedOut: 4, invalid: 5 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** A command that was written wrong. */
export class UsageError extends Error {}

/** A command that needs an account where there is none. */
export class SignedOutError extends Error {}

/** Text for a terminal: what a stranger wrote cannot move the cursor or color the rest. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Rows in columns. */
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
