import type { Exit, Io } from '../../client/src/cli/io.ts';
import { run } from '../../client/src/cli/run.ts';

export type Ran = { exit: Exit; out: string; err: string };

/** Runs one command line without a terminal, or with one at which `ask` answers. */
export async function commandLine(
  args: readonly string[],
  env: Io['env'],
  ask: Io['ask'] = null,
): Promise<Ran> {
  let [out, err] = ['', ''];
  const exit = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ask,
    lines: async function* () {},
    env,
    signal: AbortSignal.timeout(60_000),
  });
  return { exit, out, err };
}
