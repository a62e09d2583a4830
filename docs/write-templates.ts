/**
 * Compiles the texts of the templates to graphs: `node docs/write-templates.ts`. A test holds the file to them. The service reads
 * graphs only, and the compiler of texts is part of the client package.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseStrategy } from '../client/src/strategy-text/index.ts';

const TEMPLATES = new URL('../engine/strategy/graph/templates/', import.meta.url);
export const GRAPHS = new URL('template-graphs.json', TEMPLATES);

/** Returns the texts by key, in the order of their files; a folder is a group. */
export const templateTexts = (): { group: string; key: string; text: string }[] =>
  globSync('texts/*/*.strategy', { cwd: fileURLToPath(TEMPLATES) })
    .sort()
    .map((file) => ({
      group: path.basename(path.dirname(file)),
      key: path.basename(file, '.strategy'),
      text: readFileSync(new URL(file, TEMPLATES), 'utf8'),
    }));

/** The file: a line for each template. */
export function textOfGraphs(): string {
  const lines = templateTexts().map(({ key, text }) => {
    const read = parseStrategy(text);
    if (!read.ok) throw new Error(`${key}: ${JSON.stringify(read.errors)}`);
    return `"${key}": ${JSON.stringify(read.visual)}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (import.meta.main) writeFileSync(GRAPHS, textOfGraphs());
