import { readFileSync } from 'node:fs';

/** Reads a committed description as text, so that a start generates nothing. */
export const readDescription = (name: 'openapi' | 'asyncapi'): string =>
  readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8');
