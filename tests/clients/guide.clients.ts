/** Runs every sample of the guide unchanged. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openWorld, type World } from '../support/world.ts';
import { openProject, type Project } from './project.ts';
import { sh } from './sh.ts';

const guide = readFileSync(new URL('../../docs/integrators.md', import.meta.url), 'utf8');
const samples = [...guide.matchAll(/```(sh|python|ts)\n(.*?)```/gs)].map(
  ([, language = '', text = ''], place) =>
    [`${place + 1}, ${language}: ${text.split('\n', 1)[0]}`, language, text] as const,
);
const PROGRAMS: Readonly<Record<string, [program: string, extension: string]>> = {
  sh: ['bash', 'sh'],
  python: ['python3', 'py'],
  ts: [process.execPath, 'ts'],
};
const PYTHON_PACKAGE = path.join(import.meta.dirname, '../../client/python');

let world: World;
let project: Project;
beforeAll(async () => {
  // First the project: while it compiles, this process answers no database.
  project = await openProject();
  world = await openWorld();
});
afterAll(async () => {
  project.remove();
  await world.close();
});

test('there are samples in each language', () => {
  expect(new Set(samples.map(([, language]) => language))).toEqual(new Set(Object.keys(PROGRAMS)));
});

test.each(samples)('sample %s', async (_title, language, text) => {
  const [program = '', extension = ''] = PROGRAMS[language] ?? [];
  const account = await world.account();
  await updateRules(account.work, { maxOrderSize: '42' });
  const file = path.join(project.folder, `sample.${extension}`);
  writeFileSync(file, extension === 'sh' ? `set -e\n${text}` : text);
  const env = { ...process.env, URL: world.base, KEY: account.key, PYTHONPATH: PYTHON_PACKAGE };
  await expect(sh(program, [file], { env, cwd: project.folder, timeout: 90_000 })).resolves.toBeTruthy();
});
