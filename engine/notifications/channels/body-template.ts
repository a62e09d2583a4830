/**
 * Bodies of a webhook in the form that its receiver reads: JSON whose texts hold placeholders such as `{{title}}`. Only texts
 * of parsed JSON are filled, so no value can leave its text.
 */

import { z } from 'zod';
import { type Message, textOf } from '../message.ts';
import type { Notification } from './define-channel.ts';

const CHARS_MAX = 4_000;
/** A value may have some hundred characters: bounds the filled body. */
const PLACEHOLDERS_MAX = 40;
const PLACEHOLDER = /\{\{([\w.]+)\}\}/g;
const NAMES = ['id', 'type', 'timestamp', 'mode', 'title', 'text', 'link'];
const DATA = /^data\.(\w+)$/;

const filled = (template: string, valueFor: (name: string) => string): string =>
  JSON.stringify(
    JSON.parse(template, (_key, value) =>
      typeof value === 'string'
        ? value.replaceAll(PLACEHOLDER, (_found, name: string) => valueFor(name))
        : value,
    ),
  );

/** Says what is wrong with a template, as the end of a sentence; null if nothing. Pure. */
function templateProblem(template: string): string | null {
  const names: string[] = [];
  try {
    filled(template, (name) => {
      names.push(name);
      return '';
    });
  } catch (error) {
    return `is not JSON: ${(error as SyntaxError).message}`;
  }
  const unknown = names.find((name) => !NAMES.includes(name) && !DATA.test(name));
  if (unknown !== undefined)
    return `has the unknown placeholder {{${unknown}}}: use ${NAMES.join(', ')}, or data. and a field of the kind`;
  return names.length > PLACEHOLDERS_MAX
    ? `has ${names.length} placeholders, at most ${PLACEHOLDERS_MAX} are allowed`
    : null;
}

export const BodyTemplate = z
  .string()
  .max(CHARS_MAX)
  .refine((template) => templateProblem(template) === null, {
    error: ({ input }) => templateProblem(String(input)) ?? '',
  })
  .meta({
    description: `Of \`webhook\`: the body of its messages, as JSON. In its texts, \`{{name}}\` is replaced: ${NAMES.join(', ')}, or \`data.\` and a field of the kind. Without it, the body is that of \`webhooks\` in this description.`,
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
