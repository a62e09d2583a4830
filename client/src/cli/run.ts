import { parseArgs } from 'node:util';
import { type Problem, problemOf } from '../refusal.ts';
import { readAccount } from './account.ts';
import { COMMANDS, checkWords, type Options } from './commands.ts';
import { EXIT, type Exit, type Io, plain, SignedOutError, table, UsageError } from './io.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean', short: 'y' },
  all: { type: 'boolean' },
  name: { type: 'string' },
  id: { type: 'string' },
  status: { type: 'string' },
  kinds: { type: 'string' },
  out: { type: 'string', short: 'o' },
} as const;

/** Runs one command line and answers how it ended. */
export async function run(args: readonly string[], io: Io): Promise<Exit> {
  try {
    const { words, options } = read(args);
    const [name, ...rest] = words;
    if (options['help'] || name === undefined) {
      io.out(help());
      return name === undefined && !options['help'] ? EXIT.usage : EXIT.done;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command ${name}: trading-strategy --help lists them.`);
    checkWords(command, rest);
    return await command.run({ io, words: rest, options, account: () => readAccount(io.env) });
  } catch (error) {
    return ended(error, io);
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

function ended(error: unknown, io: Io): Exit {
  if (error instanceof UsageError) {
    io.err(`${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof SignedOutError) {
    io.err(`${error.message}\n`);
    return EXIT.signedOut;
  }
  const problem = problemOf(error);
  if (problem === null) {
    io.err(`${plain(reasonOf(error))}\n`);
    return EXIT.failed;
  }
  io.err(wordsOf(problem));
  return problem.code.startsWith('credentials_') ? EXIT.signedOut : EXIT.refused;
}

/** What failed beneath it says more than `fetch failed`: which address did not answer, and how. */
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

/** Of one reason the message says all there is. */
const isNew =
  (message: string) =>
  (issue: { path: string; message: string }): boolean =>
    !message.endsWith(`${issue.path}: ${issue.message}`);

function help(): string {
  const rows = Object.values(COMMANDS).map(({ usage, does }) => [`  ${usage}`, does]);
  return `trading-strategy <command> [--json]

${table(rows)}
Ends with 0 done, 1 failed, 2 written wrong, 3 refused by the service, 4 not signed in, 5 a drawing that cannot run.
`;
}
