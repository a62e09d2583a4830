/**
 * One cell of RFC 4180 text. Every text is quoted, so that a spreadsheet splits it at no separator. A text that would run as a
 * formula starts with an apostrophe.
 */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '';
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
