import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Problem, problemOf } from '../refusal.ts';
import { readAccount } from './account.ts';
import type { Options } from './call.ts';
import { COMMANDS, checkWords } from './commands.ts';
import {
  EXIT,
  type Exit,
  InvalidTextError,
  type Io,
  PlanChanged,
  plain,
  SignedOutError,
  table,
  UsageError,
} from './io.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  all: { type: 'boolean' },
  name: { type: 'string' },
  id: { type: 'string' },
  status: { type: 'string' },
  kinds: { type: 'string' },
  'forward-to': { type: 'string' },
  prices: { type: 'string' },
  books: { type: 'string' },
  blueprints: { type: 'string' },
  backtest: { type: 'string' },
  days: { type: 'string' },
  plan: { type: 'string' },
  profile: { type: 'string' },
  out: { type: 'string', short: 'o' },
} as const;

/** Runs one command line and returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<Exit> {
  try {
    const { words, options } = read(args);
    const [name, ...rest] = words;
    if (options['version']) {
      io.out(`${await version()}\n`);
      return EXIT.done;
    }
    if (name === undefined) {
      io.out(help());
      return options['help'] ? EXIT.done : EXIT.usage;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command ${name}: trading-strategy --help lists them.`);
    if (options['help']) {
      io.out(`trading-strategy ${command.usage}\n\n${command.does}\n`);
      return EXIT.done;
    }
    checkWords(command, rest);
    return await command.run({
      io,
      words: rest,
      options,
      account: () => readAccount(io.env, options['profile']),
    });
  } catch (error) {
    return ended(error, io, args.includes('--json'));
  }
}

function read(args: readonly string[]): { words: readonly string[]; options: Options } {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function ended(error: unknown, io: Io, isJson: boolean): Exit {
  const problem = problemOf(error);
  const [exit, code] = endOf(error, problem);
  const message = problem?.message ?? reasonOf(error).split('\n').map(plain).join('\n');
  if (isJson) io.err(`${JSON.stringify({ error: problem ?? { code, message } })}\n`);
  else io.err(problem === null ? `${message}\n` : wordsOf(problem));
  return exit;
}

/** Returns the exit code of an error, and its error code if the service gave none. */
function endOf(error: unknown, problem: Problem | null): [Exit, string] {
  if (error instanceof UsageError) return [EXIT.usage, 'usage'];
  if (error instanceof InvalidTextError) return [EXIT.invalid, 'invalid_text'];
  if (error instanceof SignedOutError) return [EXIT.signedOut, 'signed_out'];
  if (error instanceof PlanChanged) return [EXIT.refused, 'plan_changed'];
  if (problem === null) return [EXIT.failed, 'failed'];
  return [problem.code.startsWith('credentials_') ? EXIT.signedOut : EXIT.refused, problem.code];
}

async function version(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(text) as { version: unknown }).version);
}

/** The causes say more than `fetch failed`: which address did not answer, and how. */
const reasonOf = (error: unknown): string => [...new Set(reasonsOf(error))].join(': ');

function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause === undefined ? [] : reasonsOf(error.cause))];
}

const wordsOf = ({ code, message, issues = [], requestId }: Problem): string =>
  [
    `${plain(message)} (${code}, request ${requestId})`,
    ...issues.filter(isNew(message)).map((each) => plain(`${each.path} ${each.message}`)),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** A message with a single issue already contains it. */
const isNew =
  (message: string) =>
  (issue: { path: string; message: string }): boolean =>
    !message.endsWith(`${issue.path}: ${issue.message}`);

function help(): string {
  const rows = Object.values(COMMANDS).map(({ usage, does }) => [`  ${usage}`, does]);
  return `trading-strategy <command> [--json] [--profile <profile>] [--help] | --version

${table(rows)}
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the service, 4 not signed in, 5 a graph that cannot run.
`;
}
