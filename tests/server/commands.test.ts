/** Usage of the commands for operators. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';

const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const COMMANDS = [
  ...new Set(
    Object.values(scripts).flatMap((script) => /server\/cli\/([\w-]+)\.ts/.exec(script)?.slice(1) ?? []),
  ),
];
/** An unreachable database: a command that connects would fail. */
const NO_DATABASE = { DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:1/none' };

test.each(COMMANDS)('%s prints its usage for --help, and does nothing', async (command) => {
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
