/** Writes `docs/settings.md` and `.env.example` from the schema: `node docs/write-settings.ts`. A test holds them to it. */
import { writeFileSync } from 'node:fs';
import { documentedDefaultOf, SETTINGS } from '../server/kernel/setting-kinds.ts';
import { Environment } from '../server/kernel/settings.ts';

export const SETTINGS_PAGE = new URL('./settings.md', import.meta.url);
export const ENV_EXAMPLE = new URL('../.env.example', import.meta.url);

const settings = Object.entries(Environment.shape).map(([name, schema]) => {
  const about = SETTINGS.get(schema);
  if (about === undefined) throw new Error(`${name} says nothing about itself: register it in SETTINGS.`);
  return { name, ...about, usual: documentedDefaultOf(schema, about) };
});

const groups = Map.groupBy(settings, ({ group }) => group);

/** The page of all settings. */
export function settingsPage(): string {
  const tables = [...groups].map(([group, own]) =>
    [
      `## ${group}`,
      '',
      '| Setting | Default | Meaning |',
      '|---|---|---|',
      ...own.map(({ name, usual, meaning }) => `| \`${name}\` | ${usual} | ${meaning} |`),
    ].join('\n'),
  );
  return `# Settings

Environment variables, read once at the start; an invalid one is refused with its reason. \`.env.example\` lists them all to copy
from. An \`.env\` file is read only by \`node --env-file=.env server/start.mjs\`.

Each setting may be in a file instead: \`AUTH_SECRET_FILE=/run/secrets/auth-secret\` for \`AUTH_SECRET\`, and so with every other name.

This page is written from the schema in \`server/kernel/settings.ts\` by \`node docs/write-settings.ts\`.

${tables.join('\n\n')}
`;
}

/** Every setting as a comment, to copy and change. */
export function envExample(): string {
  const parts = [...groups].map(([group, own]) =>
    [
      `# --- ${group} ---`,
      ...own.map(({ name, usual, meaning, example }) =>
        [`# ${plain(meaning)}`, `# Default: ${plain(usual)}.`, `# ${name}=${example}`].join('\n'),
      ),
    ].join('\n'),
  );
  return `# Every setting. Copy to .env, change what you need, and start with
#   node_modules/.bin/node --env-file=.env server/start.mjs
# or set them in the environment of \`npm start\`. Written by docs/write-settings.ts; more is in docs/settings.md.

${parts.join('\n\n')}
`;
}

/** Without the marks of the page: code in backticks, links as their text. */
const plain = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]*\)/g, 'docs/$1').replaceAll('`', '');

if (import.meta.main) {
  writeFileSync(SETTINGS_PAGE, settingsPage());
  writeFileSync(ENV_EXAMPLE, envExample());
}
