import { readFileSync } from 'node:fs';

/** Reads the committed API description as text, so that a start generates nothing. */
export const readOpenApiDocument = (): string =>
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
