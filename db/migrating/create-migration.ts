/**
 * Writes the migration from the committed schema snapshot to the current entities, and the new snapshot. Works without a
 * database.
 *
 * - npm run migration:create -- add_notes            the changes of the entities
 * - npm run migration:create -- add_notes --blank    an empty one, for SQL by hand
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MIGRATIONS_FOLDER, openOrm } from '../orm.ts';
import { nameMigration } from './migration-name.ts';

const NAME = /^[a-z][a-z0-9_]{2,40}$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { blank: { type: 'boolean', default: false } },
});
const [name = ''] = positionals;

if (NAME.test(name)) await createMigration(name, values.blank);
else {
  process.stderr.write('Usage: npm run migration:create -- <name, such as add_notes> [--blank]\n');
  process.exitCode = 1;
}

async function createMigration(name: string, blank: boolean): Promise<void> {
  const existing = readMigrationNames();
  const orm = await openOrm({ clientUrl: 'postgresql://nowhere/unused' }, { keepSnapshot: true });
  try {
    const { fileName } = await orm.migrator.create(undefined, blank, false, name);
    const message =
      fileName === ''
        ? 'The entities say nothing new: no migration was written.'
        : `Wrote db/migrations/${renameLast(fileName, nameMigration(name, existing, new Date()))}: read it, then \`npm run format\`, and commit it with the snapshot.`;
    process.stdout.write(`${message}\n`);
  } finally {
    await orm.close(true);
  }
}

function readMigrationNames(): string[] {
  const files = readdirSync(MIGRATIONS_FOLDER).filter((file) => file.endsWith('.ts'));
  return files.map((file) => path.basename(file, '.ts'));
}

/** Renames the written file and its class so that they sort after all others: the library uses only the clock. */
function renameLast(fileName: string, name: string): string {
  const written = path.join(MIGRATIONS_FOLDER, fileName);
  const text = readFileSync(written, 'utf8').replaceAll(path.basename(fileName, '.ts'), name);
  rmSync(written);
  writeFileSync(path.join(MIGRATIONS_FOLDER, `${name}.ts`), text);
  return `${name}.ts`;
}
