/** Writes the tables of `docs/limits.md` from the code: `node docs/write-limits.ts`. A test holds the document to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { CAPACITY, TIMEOUTS } from '../server/kernel/capacity.ts';
import { type BucketName, DEFAULT_LIMITS } from '../server/kernel/rate-limits.ts';

export const LIMITS = new URL('./limits.md', import.meta.url);

const AT_ONCE: Record<keyof typeof CAPACITY, [what: string, past: string]> = {
  connections: ['Connections of a process', 'the next is closed'],
  reservedConnections: ['of these, for addresses that hold few', 'idle connections are closed'],
  connectionsPerAddress: ['Connections of an address that is no trusted proxy', 'the next is closed'],
  connectionsPerAddressInReserve: ['the same, once only reserved ones are left', 'the next is closed'],
  requestsPerConnection: [
    'Requests sent ahead on a connection or WebSocket; one is worked on at a time',
    'the connection is closed',
  ],
  streamsPerAccount: ['Event streams of an account', 'the next gets 429'],
  streamsPerKey: ['Event streams of a key', 'the next gets 429'],
  webSocketFrames: [
    'Frames, such as pings, that the caller of a WebSocket sends between two messages or answers',
    'it is closed',
  ],
  webSocketFrameBytes: ['Bytes of such a frame', 'it is closed'],
  webSocketAnswerBytes: ['Bytes of the answer to a request by message', 'it is closed'],
  heavyReadsPerAccount: [
    'Large answers of an account (blueprints, equity history), until they are read',
    'the next waits, then 429',
  ],
  heavyReadsPerRequest: ['Large answers in one batch', '429'],
  largeBodiesPerAccount: [
    'Requests of an account with a body of 16 KiB or more that are worked on',
    'the next waits, then 503',
  ],
  requestsAtOnce: [
    'Requests worked on at once, stops and cancels not counted',
    'the next waits, accounts in turn, then 503',
  ],
  requestsPerAccount: ['the same of an account', 'the next waits, then 503'],
  lateRefusals: [
    'Refusals past a limit that wait while they hold connections of a proxy',
    'the next is sent at once, and its connection ends',
  ],
  lateRefusalsPerSec: ['Refusals past a limit that are sent in a second', 'each waits longer'],
  requestsWaiting: ['Requests that wait', '503 for the account with the most'],
  requestsWaitingPerAccount: ['the same of an account', '503'],
};

const HOW_LONG: Record<keyof typeof TIMEOUTS, string> = {
  headersMs: 'The head of a request, from the connection on',
  requestMs: 'A whole request',
  stalledMs: 'A connection in use without any transfer, such as an answer that the client does not read',
  keepAliveMs: 'A connection between two requests',
  checkMs: 'Interval of the check of the first two',
  slotMs: 'A request waits to be worked on; after that it is 503',
  debtMs: 'A request waits while its account has spent its time of the processor; after that it is 429',
  lateRefusalMs:
    'The next refusal, where a caller continues past a limit: between half of it and half as much again, so that many are not late together. Longer if more wait than are sent in a second',
  heavyReadMs: 'A large answer waits for its turn',
  closeMs: 'The caller of a WebSocket confirms its end; after that the connection is cut',
  readinessMs: 'The last result of the readiness check is reused for all callers',
  unreadinessMs: 'The same of a failure',
  readinessAnswerMs: 'The database answers the readiness check; after that it is 503',
  sessionMs: 'Interval of the check of the session or key behind an event stream',
};

const BUCKETS: Record<BucketName, string> = {
  read: 'Reads of a key or session; twice that per account',
  write: 'Writes of a key or session; twice that per account',
  market_data: 'Market data of a key or session; twice that per account',
  brake: 'Stop, reject, cancel, close, revoke and changing risk rules, of a key or session',
  brake_account: 'The same of an account',
  anonymous:
    'Requests without credentials, and those to `/api/auth/*`, of an address; never probes, pages and files',
  auth_failures: 'Refused credentials of an address; a valid key is never refused for them',
  sign_in_address: 'Failed sign-ins of an address',
  sign_in_email_address:
    'Failed sign-ins of an e-mail from an address, or of a user who says a password once more',
  sign_in_email: 'Failed sign-ins of an e-mail, from anywhere',
  sign_up: 'New accounts of an address',
  password_reset: 'Mails of a forgotten password asked for by an address',
  password_reset_email:
    'The same to an e-mail, from anywhere; past it the answer is the same and no mail is sent',
  processor:
    'Milliseconds of the processor that the requests of an account take of one process, measured; brakes take none. A body counts as 1 for each 5 KB until it is answered, an answer as 1 for each 100 KB. Past it requests of the account wait, one at a time',
  form: 'Careers forms of an address',
  registration: 'Registrations of OAuth clients by an address; ten times that by its /24 or /48',
};

/** The document with its tables as the code says. */
export function withLimits(document: string): string {
  const atOnce = entriesOf(AT_ONCE).map(
    ([name, [what, past]]) => `| ${what} | ${grouped(CAPACITY[name])} | ${past} |`,
  );
  const howLong = entriesOf(HOW_LONG).map(
    ([name, what]) => `| ${what} | ${grouped(TIMEOUTS[name] / 1_000)} s |`,
  );
  const buckets = entriesOf(BUCKETS).map(([name, what]) => {
    const { points, windowSec } = DEFAULT_LIMITS[name];
    return `| \`${name}\` | ${what} | ${grouped(points)} in ${grouped(windowSec)} s |`;
  });
  const first = [
    ['| What | At most | Past it |', '|---|---|---|', ...atOnce].join('\n'),
    ['| How long | |', '|---|---|', ...howLong].join('\n'),
  ].join('\n\n');
  const second = ['| Bucket | What it counts | At most |', '|---|---|---|', ...buckets].join('\n');
  return between(
    between(document, 'code', 'what is from the code', first),
    'settings',
    'the settings',
    second,
  );
}

function between(document: string, source: string, named: string, text: string): string {
  const begin = `<!-- From the ${source}: node docs/write-limits.ts -->`;
  const end = `<!-- End of ${named} -->`;
  const [head, rest] = document.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`The document needs ${begin} and ${end}.`);
  return `${head}${begin}\n\n${text}\n\n${end}${tail}`;
}

const grouped = (value: number): string => value.toLocaleString('en-US');

const entriesOf = <Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];

if (import.meta.main) writeFileSync(LIMITS, withLimits(readFileSync(LIMITS, 'utf8')));
