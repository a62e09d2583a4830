import { type Client, createClient } from '../client.ts';
import type { Account } from './account.ts';
import { type Exit, type Io, UsageError } from './io.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;
/** One call of a command. `account` signs in, for the commands that need it. */
export type CommandCall = {
  io: Io;
  words: readonly string[];
  options: Options;
  account: () => Promise<Account>;
};

/**
 * @property takes the argument it needs, if any
 * @property takesMany whether it takes several of them
 */
export type Command = {
  usage: string;
  does: string;
  takes?: string;
  takesMany?: boolean;
  run: (call: CommandCall) => Promise<Exit>;
};

export const print = ({ io, options }: CommandCall, value: unknown, text: () => string): void =>
  io.out(options['json'] ? `${JSON.stringify(value)}\n` : text());

export const word = ({ words }: CommandCall, what: string): string => {
  const [first] = words;
  if (first === undefined) throw new UsageError(`Which ${what}?`);
  return first;
};

export const clientOf = async ({ account }: CommandCall): Promise<Client> => createClient(await account());
