/**
 * Bodies of a webhook in the form that its receiver reads: JSON whose texts hold placeholders such as `{{title}}`. Only texts
 * of parsed JSON are filled, so no value can leave its text.
 */

import { z } from 'zod';
import { type Message, textOf } from '../message.ts';
import type { Notification } from './define-channel.ts';

const CHARS_MAX = 4_000;
/** The longest value, the error of a blueprint, has 2,000 characters: bounds the filled body. */
const PLACEHOLDERS_MAX = 40;
const PLACEHOLDER = /\{\{([\w.]+)\}\}/g;
const NAMES = ['id', 'type', 'timestamp', 'mode', 'title', 'text', 'link'];
const DATA = /^data\.(\w+)$/;

/** Not yet in the types of TypeScript. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
  rawJSON(source: string): unknown;
};

/** Numbers stay as written: a double changes the id 123456789012345678. */
const filled = (template: string, valueFor: (name: string) => string): string =>
  JSON.stringify(
    parse(template, (_key, value, { source }) => {
      if (typeof value === 'number') return rawJSON(source);
      if (typeof value !== 'string') return value;
      return value.replaceAll(PLACEHOLDER, (_found, name: string) => valueFor(name));
    }),
  );

/** Says what is wrong with a template, as the end of a sentence; null if nothing. Pure. */
function templateProblem(template: string): string | null {
  const names: string[] = [];
  let rest: string;
  try {
    rest = filled(template, (name) => {
      names.push(name);
      return ' ';
    });
  } catch {
    // Without the message of V8, which quotes a template that is a secret.
    return 'is not JSON: a placeholder stands in quotes, such as "{{text}}"';
  }
  if (rest.includes('{{'))
    return 'has "{{" outside a placeholder of a text: write {{title}} without spaces, and in no key';
  const unknown = names.find((name) => !NAMES.includes(name) && !DATA.test(name));
  if (unknown !== undefined)
    return `has the unknown placeholder {{${unknown}}}: use ${NAMES.join(', ')}, or data. and a field of the kind`;
  return names.length > PLACEHOLDERS_MAX
    ? `has ${names.length} placeholders, at most ${PLACEHOLDERS_MAX} are allowed`
    : null;
}

export const BodyTemplate = z
  .string()
  .max(CHARS_MAX, { abort: true })
  .superRefine((template, { addIssue }) => {
    const problem = templateProblem(template);
    if (problem !== null) addIssue(problem);
  })
  .meta({
    description: `Body of the messages of a \`webhook\`, as JSON. In its texts, \`{{name}}\` is replaced: ${NAMES.join(', ')}, or \`data.\` and a field of the kind. Without it, the body is that of \`webhooks\` in this description.`,
  });

/** Returns the body of a message. Pure. */
export function fillTemplate(
  template: string,
  { id, kind, mode, at, data }: Notification,
  message: Message,
): string {
  const values = { id, type: kind, timestamp: at, mode, ...message };
  return filled(template, (name) => {
    const field = DATA.exec(name)?.[1];
    return field === undefined ? textOf(values, name) : textOf(data, field);
  });
}
