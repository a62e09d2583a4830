import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../..');

/** The folder of the README's pictures. */
export const README_PICTURES = path.join(ROOT, 'docs/screenshots');

/** States the accepted picture of the page behind each of the README's pictures. The API reference has none. */
const ACCEPTED = {
  overview: 'overview desk-dark',
  'graph-running': 'a running graph desk-dark',
  approval: 'an approval desk-dark',
};

/** Digests of the accepted pictures, by the README's picture: a page that looks different has another digest. */
export const digestsOfPages = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ACCEPTED).map(([name, accepted]) => [
      name,
      digestOf(`tests/e2e/pictures/${accepted}.png`),
    ]),
  );

const digestOf = (file: string): string => hash('sha256', readFileSync(path.join(ROOT, file)));
