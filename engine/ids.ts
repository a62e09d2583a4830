import { randomUUIDv7 } from 'node:crypto';

/** A new identifier: UUIDv7, so that rows made together lie together in every index. */
export const newId = (): string => randomUUIDv7();
