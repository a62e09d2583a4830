/** A rule that has locked buys since an instant. */
export type Lock<Line> = { readonly line: Line; readonly since: string; readonly endsAtMidnight: boolean };

const TRIPPED = /^tripped at (\S+): no buys/;

/** The locks among the uses of the rules: a note states since when, as the service words it. */
export const locksIn = <Line extends { rule: string; note?: string | undefined }>(
  lines: readonly Line[],
): Lock<Line>[] =>
  lines.flatMap((line) => {
    const since = TRIPPED.exec(line.note ?? '')?.[1];
    return since === undefined ? [] : [{ line, since, endsAtMidnight: line.rule === 'maxDailyLoss' }];
  });
