/** Trusted HTML. All other text is escaped in a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | null | Html | readonly Html[];

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPED[sign] ?? sign);

/** Builds HTML from a template: inserted values are escaped, unless they are HTML. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    strings
      .map((string, index) => string + (index < parts.length ? textOf(parts[index] ?? null) : ''))
      .join(''),
  );

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escaped(String(part));
}

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => string | number;
  readonly isText?: true;
};

/** Builds a table with a caption for screen readers. */
export const table = <Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html => html`
<div class="wide"><table><caption>${caption}</caption>
<thead><tr>${columns.map(({ head, isText }) => html`<th scope="col"${kind(isText)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
  (row) => html`<tr>${columns.map(({ cell, isText }) => html`<td${kind(isText)}>${cell(row)}</td>`)}</tr>
`,
)}</tbody></table></div>`;

const kind = (isText: true | undefined): Html => (isText ? html` class="text"` : html``);
