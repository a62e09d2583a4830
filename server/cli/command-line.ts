import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The result without positionals, or with them if `allowPositionals` is set. */
type Read<Wanted extends Options> = ReturnType<typeof parseArgs<{ options: Wanted; allowPositionals: true }>>;

/**
 * Reads the arguments of a command. Ends the process if there is nothing to do: with its usage for `--help` (or `-h`). An
 * unknown argument is a failure with its reason and the usage, so a misspelled command does nothing.
 *
 * @param usage how the command is called, in full sentences or examples
 * @param wordsMax the most arguments beside the options, none by default
 */
export function readCommandLine<const Wanted extends Options>(
  usage: string,
  options: Wanted,
  wordsMax = 0,
): Read<Wanted> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const read = parseArgs({ args, options, allowPositionals: true });
    const unknown = read.positionals[wordsMax];
    // It may be an address with a password.
    if (unknown !== undefined)
      throw new Error(`Unexpected word '${unknown.replace(/^(\w{1,20}:\/\/).*@/, '$1…@')}'.`);
    return read;
  } catch (error) {
    return refuseCall(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process as a failure because of wrong arguments. */
export function refuseCall(usage: string, reason?: string): never {
  console.error(reason === undefined ? usage : `${reason}\n${usage}`);
  process.exit(1);
}
