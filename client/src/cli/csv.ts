/** RFC 4180, one row per object; an empty text without objects. Leaves out values other than numbers, texts and booleans. */
export function csvOf(rows: readonly object[]): string {
  const names = [
    ...new Set(
      rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => (isPlain(value) ? [name] : []))),
    ),
  ];
  const lines = rows.map((row) =>
    names.map((name) => cell((row as Readonly<Record<string, unknown>>)[name])),
  );
  if (names.length === 0) return '';
  return [names, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Text that a spreadsheet would read as a formula begins with an apostrophe. */
function cell(value: unknown): string {
  if (!isPlain(value)) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
