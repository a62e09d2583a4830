import { randomUUIDv7 } from 'node:crypto';

/** `tttttttt-tttt-7ccc-…`: 48 bits of milliseconds, the version, 12 bits that count within a millisecond. */
const TIME_LENGTH = 13;
const COUNTER_AT = 15;
const COUNTER_END = 18;
/** Above it, after 3,000 ids in a millisecond, only chance decides the order. */
const COUNTER_MAX = 0xfff;
/** The count of a millisecond starts in the lower quarter, so that there is room above it. */
const COUNTER_START_MASK = 0x3ff;

let lastTime = '';
let counter = 0;

/**
 * Creates an identifier: UUIDv7, so that rows made together lie together in every index. Those of one process rise, also within
 * one millisecond (RFC 9562, 6.2, method 1). Sorting by id is thus sorting by creation.
 */
export function newId(): string {
  const id = randomUUIDv7();
  const time = id.slice(0, TIME_LENGTH);
  if (time > lastTime) {
    lastTime = time;
    counter = Number.parseInt(id.slice(COUNTER_AT, COUNTER_END), 16) & COUNTER_START_MASK;
  } else counter = Math.min(counter + 1, COUNTER_MAX);
  return `${lastTime}-7${counter.toString(16).padStart(3, '0')}${id.slice(COUNTER_END)}`;
}
