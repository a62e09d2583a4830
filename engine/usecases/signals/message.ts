import { hash } from 'node:crypto';
import { isObject } from '../../strategy/graph/json.ts';

/** A message of a sender: its value, and the key by which a repetition is recognized. */
export type SignalMessage = {
  /** A condition is 1 or 0. */
  readonly value: number;
  /** SHA-256 in hex. */
  readonly key: string;
  /** Whether the sender named the message. Otherwise its key is a digest of its content. */
  readonly isNamed: boolean;
};

/** Largest absolute value. */
export const SIGNAL_VALUE_MAX = 1e15;
/** Longest id of a message, in characters. */
export const MESSAGE_ID_MAX = 200;

/**
 * Reads the body of an alert as chart services send it: text or JSON. The value is the number or condition that the body is, or
 * the field `value` of an object. An object without one, and text that is words, is an event with the value 1. Returns null for
 * broken or other JSON, and for a value or text that only looks like a number: a mistyped 0 never counts as 1. Also for an
 * id that is too long. Pure.
 */
export function readAlert(body: string, idempotencyKey: string | null): SignalMessage | null {
  const text = body.trim();
  const sent = LOOKS_LIKE_JSON.test(text) ? parsedObject(text) : null;
  if (LOOKS_LIKE_JSON.test(text) && sent === null) return null;
  const value =
    sent === null ? valueOfText(text) : sent['value'] === undefined ? 1 : numberFrom(sent['value']);
  const id = idempotencyKey ?? idOf(sent?.['id']);
  if (value === null || (id !== null && id.length > MESSAGE_ID_MAX)) return null;
  return messageOf(value, id, body);
}

const LOOKS_LIKE_JSON = /^[{["]/;
/** Digits with signs, separators and currencies alone. */
const DIGITS = /^[-−+\d\s.,'’%\p{Sc}]+(?:e[-+]?\d+)?$/iu;
/** A word for "no number". */
const NO_NUMBER = /^(?:[-+]?(?:nan|na|null|none|undefined|infinity)|-)$/i;

const looksLikeNumber = (text: string): boolean =>
  (DIGITS.test(text) && /\d/.test(text)) || NO_NUMBER.test(text);

/** Words and symbols are an event, also with a number among them. */
const valueOfText = (text: string): number | null => numberFrom(text) ?? (looksLikeNumber(text) ? null : 1);

/** Returns a message by its value, with the sender's id if there is one. Pure. */
export const messageOf = (value: number, id: string | null, content: string): SignalMessage => ({
  value,
  key: hash('sha256', id === null ? `content ${content}` : `id ${id}`, 'hex'),
  isNamed: id !== null,
});

/** Returns a condition as 1 or 0, a number or its text as the number; null for everything else. */
export function numberFrom(sent: unknown): number | null {
  if (typeof sent === 'boolean') return Number(sent);
  if (typeof sent === 'string') return conditionIn(sent.trim()) ?? numberIn(sent.trim());
  return typeof sent === 'number' ? bounded(sent) : null;
}

/** Punctuation after the word does not count: `Off.` is `off`. */
const TRUE = /^(?:true|on|yes)\p{P}*$/iu;
const FALSE = /^(?:false|off|no)\p{P}*$/iu;

const conditionIn = (text: string): number | null => (TRUE.test(text) ? 1 : FALSE.test(text) ? 0 : null);
const NUMBER = /^[-+]?\d{1,16}(?:\.\d{1,20})?$/;

const numberIn = (text: string): number | null => (NUMBER.test(text) ? bounded(Number(text)) : null);

const bounded = (value: number): number | null =>
  Number.isFinite(value) && Math.abs(value) <= SIGNAL_VALUE_MAX ? value + 0 : null;

function idOf(id: unknown): string | null {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Returns a body that is a JSON object, else null. */
function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}
