import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findWrongNames, nameMigration } from '../../db/migrating/migration-name.ts';
import { MIGRATIONS_FOLDER } from '../../db/orm.ts';

const names = readdirSync(MIGRATIONS_FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.basename(file, '.ts'));

const NOW = new Date('2026-11-26T03:04:05.678Z');

describe('a new migration', () => {
  test.each([
    ['by the clock', ['Migration20261125000000_a'], '20261126030405'],
    ['after the newest, where the clock is behind', ['Migration20261201005000_a'], '20261201005001'],
  ])('is named %s', (_how, existing, expected) => {
    expect(nameMigration('notes', existing, NOW)).toBe(`Migration${expected}_notes`);
  });

  test('runs after all existing ones', () => {
    const name = nameMigration('notes', names, new Date(0));
    expect([...names, name].toSorted().at(-1)).toBe(name);
  });
});

describe('names of migrations', () => {
  test('are instants, ascend, and none is in the future', () => {
    expect(findWrongNames(names, new Date())).toEqual([]);
  });

  test.each([
    ['an hour that is none', 'Migration20261101610000_a'],
    ['a day that is none', 'Migration20260231000000_a'],
    ['no words', 'Migration20261101000000'],
    ['a time that has not come', 'Migration20261126030406_a'],
  ])('with %s are found', (_what, name) => {
    expect(findWrongNames([name], NOW)).toEqual([name]);
  });

  test('of one instant are found', () => {
    const twins = ['Migration20261101000000_a', 'Migration20261101000000_b'];
    expect(findWrongNames(twins, NOW)).toEqual(twins.slice(1));
  });

  test('are those of their classes', () => {
    const strays = names.filter(
      (name) =>
        !readFileSync(path.join(MIGRATIONS_FOLDER, `${name}.ts`), 'utf8').includes(
          `export class ${name} extends`,
        ),
    );
    expect(strays).toEqual([]);
  });
});
