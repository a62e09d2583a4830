import { readFileSync } from 'node:fs';

/** The committed description, as text: serving it costs no generation at start. */
export const readDocument = (): string =>
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
