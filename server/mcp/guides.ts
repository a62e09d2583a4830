import { readFile } from 'node:fs/promises';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { GUIDES } from '../../openapi/guide-names.ts';
import { validationFailed } from '../../routers/errors.ts';
import { validationMessageOf } from '../../routers/validation-messages.ts';
import type { Answered } from './tool-answer.ts';

/** Characters of one part of a guide: some 3,000 tokens. */
const PART_CHARS_MAX = 12_000;

const NAMES = Object.keys(GUIDES).filter((name) => name !== 'changelog' && name !== 'client');
const Input = z.strictObject({
  name: z.enum(NAMES).optional().meta({ description: 'Without it, the guides are listed.' }),
  cursor: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'takes `nextCursor` of the part before' })
    .optional(),
});

/** The guides as a tool: many clients show a model no resources. */
export const guidesTool: Tool = {
  name: 'guides_read',
  title: 'Read a guide',
  description: 'The manuals in Markdown, a part at a time. Read `strategies` before you draw a strategy.',
  inputSchema: inputSchema(),
  outputSchema: { type: 'object', properties: { text: { type: 'string' }, guides: { type: 'array' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

function inputSchema(): Tool['inputSchema'] {
  const { $schema: _schema, ...schema } = z.toJSONSchema(Input);
  return { ...schema, type: 'object' } as Tool['inputSchema'];
}

/** @throws DomainError `validation_failed`. */
export async function readGuide(sent: unknown): Promise<Answered> {
  const read = Input.safeParse(sent ?? {}, { error: validationMessageOf });
  if (!read.success) throw validationFailed(read.error);
  const { name, cursor = '0' } = read.data;
  const guide = name === undefined ? undefined : GUIDES[name];
  if (guide === undefined) {
    return {
      value: { guides: NAMES.map((each) => ({ name: each, title: GUIDES[each]?.title })) },
      extras: {},
    };
  }
  const parts = markdownPartsOf(await readFile(new URL(`../../${guide.file}`, import.meta.url), 'utf8'));
  const at = Number(cursor);
  const isLast = at >= parts.length - 1;
  return {
    value: { text: parts[at] ?? 'The guide has ended.' },
    extras: isLast ? {} : { nextCursor: String(at + 1) },
  };
}

/** Splits Markdown at its headings into parts of at most 12,000 characters; also splits a longer section. */
export function markdownPartsOf(markdown: string): string[] {
  const parts: string[] = [];
  for (const section of markdown.split(/(?<=\n)(?=## )/).flatMap(cut)) {
    const together = (parts.at(-1) ?? '') + section;
    if (parts.length > 0 && together.length <= PART_CHARS_MAX) parts[parts.length - 1] = together;
    else parts.push(section);
  }
  return parts;
}

function cut(section: string): string[] {
  const count = Math.ceil(section.length / PART_CHARS_MAX);
  return Array.from({ length: count }, (_, at) =>
    section.slice(at * PART_CHARS_MAX, (at + 1) * PART_CHARS_MAX),
  );
}
