/** Brings the catalogs up to date with the sources: `npm run messages`. New messages are empty until somebody translates them. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messagesIn } from './messages.ts';

const SOURCES = path.join(import.meta.dirname, 'src');

const keys = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).flatMap((file) =>
  messagesIn(file, readFileSync(path.join(SOURCES, file), 'utf8')).map(({ key }) => key),
);
const said = [...new Set(keys)].sort();
for (const name of globSync('language/*.json', { cwd: SOURCES })) {
  const file = path.join(SOURCES, name);
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const next = Object.fromEntries(said.map((key) => [key, known[key] ?? '']));
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
  const missing = Object.values(next).filter((text) => text === '').length;
  process.stdout.write(`${name}: ${said.length} messages, ${missing} to translate\n`);
}
