/** How to authenticate and trade at a venue. Each venue exports one value of this type, in `venues/<venue>/credentials.ts`. */
import { z } from 'zod';
import type { Broker } from './broker.ts';
import type { FeedClock } from './clock.ts';
import { VenueError } from './errors.ts';
import type { ParseErrorLog } from './parse-error-log.ts';
import type { FeeSchedule } from './reads.ts';
import type { Environment } from './vocabulary.ts';

/** No credential of any venue is longer: a PEM of RSA 4096 has 3,300 characters. */
const SECRET_MAX = 8_000;
export const secretText = z.string().trim().min(1).max(SECRET_MAX);

export type ReadCredentials =
  | { readonly kind: 'read'; readonly plain: Buffer; readonly hint: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Options of a broker, in addition to credentials. */
export type OpenBrokerOptions = {
  /** Fixes the hosts, which are a table in code. */
  readonly environment: Environment;
  /** The URL of the simulated venues, if orders go there. The operator sets it, never a user. */
  readonly simulatorUrl: string | null;
  readonly clock: FeedClock;
  /** The fee schedule of a token at the time; null: not stated. */
  readonly feesOf: (tokenId: string) => Promise<FeeSchedule | null>;
  readonly parseErrors: ParseErrorLog;
  /** Signs with a key that is not the account's, to test whether the venue verifies signatures. */
  readonly usesWrongKey?: boolean;
};

/** Credentials as a connection takes them, and the data that registers them at the simulated venue. */
export type DemoAccount<Credentials = Readonly<Record<string, unknown>>> = {
  readonly credentials: Credentials;
  readonly account: {
    readonly id: string;
    /** By asset, under the venue's own names. */
    readonly balances: Readonly<Record<string, string>>;
  };
  readonly key: {
    readonly id: string;
    /** Verifies its signatures. */
    readonly material: string;
    readonly scopes: readonly string[];
    readonly tags: Readonly<Record<string, string>>;
  };
};

type Terms<Credentials extends z.ZodObject> = {
  /** A connection names one of them, and never an address. */
  readonly environments: readonly Environment[];
  /** Environments that only the simulator has. */
  readonly simulatedOnly: readonly Environment[];
  readonly credentials: Credentials;
  /** The simulator's name of the venue. */
  readonly simulatorName: string;
  /** Creates a member of the simulated venue, with credentials in the venue's own format. */
  readonly newDemoAccount: () => DemoAccount<z.output<Credentials>>;
};

type AccessDefinition<Credentials extends z.ZodObject> = Terms<Credentials> & {
  /** The last characters of the public name of the key, with which a user tells two connections apart. */
  readonly hintOf: (credentials: z.output<Credentials>) => string;
  /** Builds the signer, to find out whether the credentials are valid keys. The error's text repeats nothing of them. */
  readonly prove: (credentials: z.output<Credentials>, environment: Environment) => void;
  /** The same account with a key that does not exist. */
  readonly withWrongKey: (credentials: z.output<Credentials>) => z.output<Credentials>;
  readonly open: (credentials: z.output<Credentials>, options: OpenBrokerOptions) => Broker;
};

/** How to authenticate at one venue. */
export type Access<Credentials extends z.ZodObject = z.ZodObject> = Terms<Credentials> & {
  /** Checks credentials as far as possible without a request to the venue. The text of a refusal repeats nothing of them. */
  readonly read: (environment: Environment, sent: unknown) => ReadCredentials;
  /** Makes a broker of stored credentials, and retains nothing of them but the signer. */
  readonly open: (stored: unknown, options: OpenBrokerOptions) => Broker;
};

export function defineAccess<Credentials extends z.ZodObject>(
  definition: AccessDefinition<Credentials>,
): Access<Credentials> {
  const { environments, simulatedOnly, credentials, simulatorName, newDemoAccount } = definition;
  const read = (environment: Environment, sent: unknown): ReadCredentials => {
    const parsed = credentials.safeParse(sent);
    if (!parsed.success) return { kind: 'refused', message: problemOf(parsed.error, credentials) };
    try {
      definition.prove(parsed.data, environment);
    } catch (error) {
      return {
        kind: 'refused',
        message: error instanceof Error ? error.message : 'are no valid key',
      };
    }
    return {
      kind: 'read',
      plain: Buffer.from(JSON.stringify(parsed.data)),
      hint: definition.hintOf(parsed.data),
    };
  };
  const open = (stored: unknown, options: OpenBrokerOptions): Broker => {
    const parsed = credentials.parse(stored);
    return definition.open(options.usesWrongKey === true ? definition.withWrongKey(parsed) : parsed, options);
  };
  return { environments, simulatedOnly, credentials, simulatorName, newDemoAccount, read, open };
}

/** The message for invalid credentials: names the missing or malformed part, and nothing of its value. */
function problemOf({ issues: [issue] }: z.ZodError, { shape }: z.ZodObject): string {
  const field = issue?.code === 'unrecognized_keys' ? '' : issue?.path.join('.');
  const needed = `have to be ${Object.keys(shape).join(', ')} and nothing else`;
  return field ? `${needed}; "${field}" is missing or malformed` : needed;
}

export const noSuchEnvironment = (environment: Environment): VenueError =>
  VenueError.badRequest(`this service has no ${environment} environment of the venue`);
