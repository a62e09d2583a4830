// Deletes installed files that are never read: source maps, headers, read-mes and the npm of the bundled Node.js. Also the
// sources of the API playground, which browsers do not load, and typings where nothing is compiled. They are a third of the
// size; runs after every install.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const PACKAGES = path.join(import.meta.dirname, '../node_modules');
const UNUSED_IN_NODE = ['include', 'share'];

const isCompiled = existsSync(path.join(PACKAGES, '@types/express'));
const isUnused = (name) =>
  name.endsWith('.map') ||
  /^(readme|changelog|history)\b.*\.(md|markdown)$/i.test(name) ||
  (!isCompiled && /\.d\.[cm]?ts$/.test(name));

/** Returns every file below; does not follow links. */
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) prune(place);
    else if (entry.isFile() && isUnused(entry.name)) rmSync(place, { force: true });
  }
}

const playground = path.join(PACKAGES, '@scalar/api-reference/dist');
const listed = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
const remove = (...parts) => rmSync(path.join(...parts), { recursive: true, force: true });

for (const name of listed(PACKAGES))
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name))
    for (const folder of UNUSED_IN_NODE) remove(PACKAGES, name, folder);
for (const name of listed(playground))
  if (name !== 'browser' && name !== 'index.js') remove(playground, name);
if (existsSync(PACKAGES)) prune(PACKAGES);
