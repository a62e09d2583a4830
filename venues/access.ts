/** How a venue lets somebody in and trades for them: what each says of itself in one value, `venues/<venue>/member.ts`. */
import { z } from 'zod';
import type { Environment } from '../db/vocabulary.ts';
import type { Broker } from './broker.ts';
import type { FeedClock } from './clock.ts';
import { VenueError } from './errors.ts';
import type { ParseErrorLog } from './parse-error-log.ts';
import type { FeeSchedule } from './port.ts';

/** No credential of any venue is longer: a PEM of RSA 4096 has 3,300 characters. */
const SECRET_MAX = 8_000;
export const secretText = z.string().trim().min(1).max(SECRET_MAX);

export type ReadCredentials =
  | { readonly kind: 'read'; readonly plain: Buffer; readonly hint: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What a broker is opened with besides credentials. */
export type OpenBrokerOptions = {
  /** Fixes the hosts, which are a table in code. */
  readonly environment: Environment;
  /** Where the simulated venues are, if they are what is traded at: the operator's word, never a user's. */
  readonly simulatorUrl: string | null;
  readonly clock: FeedClock;
  /** What a token costs at the time; null: not stated. */
  readonly feesOf: (tokenId: string) => Promise<FeeSchedule | null>;
  readonly parseErrors: ParseErrorLog;
  /** Signs with a key that is not the account's, to see whether the venue looks at signatures. */
  readonly isSpoiled?: boolean;
};

/** Credentials as a connection takes them, and how the simulated venue is told of them. */
export type DemoMember<Credentials = Readonly<Record<string, unknown>>> = {
  readonly credentials: Credentials;
  readonly account: {
    readonly id: string;
    /** By asset, in the venue's own names. */
    readonly balances: Readonly<Record<string, string>>;
  };
  readonly key: {
    readonly id: string;
    /** What its signatures are checked with. */
    readonly material: string;
    readonly scopes: readonly string[];
    readonly tags: Readonly<Record<string, string>>;
  };
};

type Terms<Credentials extends z.ZodObject> = {
  /** A connection names one of them, and never an address. */
  readonly environments: readonly Environment[];
  /** Those of them that only the simulator has. */
  readonly simulatedOnly: readonly Environment[];
  readonly credentials: Credentials;
  /** By what the simulator calls the venue. */
  readonly desk: string;
  /** Makes a member of the simulated venue, with credentials like those that the venue gives. */
  readonly newMember: () => DemoMember<z.output<Credentials>>;
};

type Said<Credentials extends z.ZodObject> = Terms<Credentials> & {
  /** The last characters of what names the key publicly, so that a person tells two connections apart. */
  readonly hintOf: (credentials: z.output<Credentials>) => string;
  /** Makes what signs of them, to find out whether they are keys at all. Throws words that repeat nothing. */
  readonly prove: (credentials: z.output<Credentials>, environment: Environment) => void;
  /** The same account with a key that nobody has. */
  readonly spoil: (credentials: z.output<Credentials>) => z.output<Credentials>;
  readonly open: (credentials: z.output<Credentials>, options: OpenBrokerOptions) => Broker;
};

/** How one venue lets somebody in. */
export type Access<Credentials extends z.ZodObject = z.ZodObject> = Terms<Credentials> & {
  /** Checks credentials as far as that goes without asking the venue. The words of a refusal repeat nothing of them. */
  readonly read: (environment: Environment, sent: unknown) => ReadCredentials;
  /** Makes a broker of stored credentials, and keeps no more of them than what signs. */
  readonly open: (stored: unknown, options: OpenBrokerOptions) => Broker;
};

export function accessTo<Credentials extends z.ZodObject>(said: Said<Credentials>): Access<Credentials> {
  const { environments, simulatedOnly, credentials, desk, newMember } = said;
  const read = (environment: Environment, sent: unknown): ReadCredentials => {
    const parsed = credentials.safeParse(sent);
    if (!parsed.success) return { kind: 'refused', message: wordsOf(parsed.error, credentials) };
    try {
      said.prove(parsed.data, environment);
    } catch (error) {
      return {
        kind: 'refused',
        message: error instanceof Error ? error.message : 'no key can be made of them',
      };
    }
    return {
      kind: 'read',
      plain: Buffer.from(JSON.stringify(parsed.data)),
      hint: said.hintOf(parsed.data),
    };
  };
  const open = (stored: unknown, options: OpenBrokerOptions): Broker => {
    const parsed = credentials.parse(stored);
    return said.open(options.isSpoiled === true ? said.spoil(parsed) : parsed, options);
  };
  return { environments, simulatedOnly, credentials, desk, newMember, read, open };
}

/** Which part is missing or odd, by its name only. */
function wordsOf({ issues: [issue] }: z.ZodError, { shape }: z.ZodObject): string {
  const place = issue?.code === 'unrecognized_keys' ? '' : issue?.path.join('.');
  const needed = `have to be ${Object.keys(shape).join(', ')} and nothing else`;
  return place ? `${needed}; "${place}" is missing or not what it should be` : needed;
}

export const noSuchEnvironment = (environment: Environment): VenueError =>
  VenueError.badRequest(`this service does not reach the ${environment} environment of the venue`);
