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
 * the field `value` of an object. A body without one is an event, with the value 1. Returns null if `value` is no number up to
 * 10¹⁵ and no condition. Also if the id is too long. Pure.
 */
export function readAlert(body: string, idempotencyKey: string | null): SignalMessage | null {
  const read = parsed(body.trim());
  const sent = isObject(read) ? read['value'] : undefined;
  const value = isObject(read) ? (sent === undefined ? 1 : numberFrom(sent)) : (numberFrom(read) ?? 1);
  const id = idempotencyKey ?? idOf(isObject(read) ? read['id'] : undefined);
  if (value === null || (id !== null && id.length > MESSAGE_ID_MAX)) return null;
  return messageOf(value, id, body);
}

/** Returns a message by its value, with the sender's id if there is one. Pure. */
export const messageOf = (value: number, id: string | null, content: string): SignalMessage => ({
  value,
  key: hash('sha256', id === null ? `content ${content}` : `id ${id}`, 'hex'),
  isNamed: id !== null,
});

/** Returns a condition as 1 or 0, a number or its text as the number; null for everything else. */
export function numberFrom(sent: unknown): number | null {
  if (typeof sent === 'boolean') return Number(sent);
  if (typeof sent === 'string') return WORDS[sent.trim().toLowerCase()] ?? numberIn(sent.trim());
  return typeof sent === 'number' ? bounded(sent) : null;
}

const WORDS: Readonly<Record<string, number>> = { true: 1, false: 0 };
const NUMBER = /^[-+]?\d{1,16}(?:\.\d{1,20})?$/;

const numberIn = (text: string): number | null => (NUMBER.test(text) ? bounded(Number(text)) : null);

const bounded = (value: number): number | null =>
  Number.isFinite(value) && Math.abs(value) <= SIGNAL_VALUE_MAX ? value + 0 : null;

function idOf(id: unknown): string | null {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Returns the JSON of a body that is an object, else its text. */
function parsed(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
