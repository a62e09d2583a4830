/** How commands for operators are called. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand } from '../support/commands.ts';

const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const COMMANDS = [
  ...new Set(
    Object.values(scripts).flatMap((script) => /server\/cli\/([\w-]+)\.ts/.exec(script)?.slice(1) ?? []),
  ),
];
/** Whatever got as far as a database would say so. */
const NO_DATABASE = { DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:1/none' };

test.each(COMMANDS)('%s says for --help how it is called, and does nothing', async (command) => {
  const { code, stdout, stderr } = await runCommand(command, ['--help'], NO_DATABASE);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm run /);
});

test.each(['watchdog', 'kill-switch', 'users'])(
  '%s does nothing for what it does not know, and says what that was',
  async (command) => {
    const { code, stdout, stderr } = await runCommand(command, ['--al'], NO_DATABASE);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--al'.*\nUsage: npm run /);
  },
);
