import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** A form without values, and with one where `allowPositionals` says so. */
type Read<Asked extends Options> = ReturnType<typeof parseArgs<{ options: Asked; allowPositionals: true }>>;

/**
 * What a command was called with. Ends the process where there is nothing to do: with its usage for `--help` (or `-h`), and as a
 * failure, with the reason and the usage, for what it does not know. So a command that was misspelled does nothing.
 *
 * @param usage how the command is called, in full sentences or examples
 * @param wordsMax how many words may stand beside the options, none by default
 */
export function readCommandLine<const Asked extends Options>(
  usage: string,
  options: Asked,
  wordsMax = 0,
): Read<Asked> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const read = parseArgs({ args, options, allowPositionals: true });
    const unknown = read.positionals[wordsMax];
    if (unknown !== undefined) throw new Error(`Unexpected word '${unknown}'.`);
    return read;
  } catch (error) {
    return refuseCall(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process as a failure, because it was not called as it must be. */
export function refuseCall(usage: string, reason?: string): never {
  console.error(reason === undefined ? usage : `${reason}\n${usage}`);
  process.exit(1);
}
