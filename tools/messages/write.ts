/**
 * Brings the catalogs up to date with the sources: `npm run messages`. New texts of the console, of nodes, rules and
 * notifications are empty until they are translated. Reasons are written by hand: those that lack a translation are printed.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messagesIn } from '../../web/extract-messages.ts';
import { findTranslation, parseServerSentences } from '../../web/src/language/server-sentences.ts';
import { servedReasons, servedTexts } from './served-texts.ts';

const SOURCES = path.join(import.meta.dirname, '../../web/src');

const said = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).flatMap((file) =>
  messagesIn(file, readFileSync(path.join(SOURCES, file), 'utf8')).map(({ key }) => key),
);
const readCatalog = (name: string) =>
  JSON.parse(readFileSync(path.join(SOURCES, name), 'utf8')) as Record<string, string>;

/** Writes the catalogs of one folder: exactly these texts, with their existing translations. */
function writeCatalogs(pattern: string, texts: readonly string[]): void {
  for (const name of globSync(pattern, { cwd: SOURCES })) {
    const known = readCatalog(name);
    const next = Object.fromEntries(texts.map((text) => [text, known[text] ?? '']));
    writeFileSync(path.join(SOURCES, name), `${JSON.stringify(next, null, 2)}\n`);
    const missing = Object.values(next).filter((text) => text === '').length;
    process.stdout.write(`${name}: ${texts.length} messages, ${missing} to translate\n`);
  }
}

writeCatalogs('language/*.json', [...new Set(said)].sort());
writeCatalogs('language/served/*.json', servedTexts());
for (const name of globSync('language/reasons/*.json', { cwd: SOURCES })) {
  const reasons = parseServerSentences(readCatalog(name));
  const missing = servedReasons().filter((sentence) => findTranslation(reasons, sentence) === sentence);
  process.stdout.write(`${name}: ${missing.length} to translate\n`);
  for (const sentence of missing) process.stdout.write(`  ${sentence}\n`);
}
