import { readFile, writeFile } from 'node:fs/promises';
import { buildDocument } from './document.ts';

/** The committed description, served as it is. `--check` fails when it is not what the code generates. */
const file = new URL('./openapi.json', import.meta.url);
const generated = `${JSON.stringify(buildDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== generated) {
    console.error(
      'openapi/openapi.json is not what the code generates: run `npm run openapi` and commit it.',
    );
    process.exit(1);
  }
} else await writeFile(file, generated);
