import type { Outputs } from '../api/trpc.ts';

export type Connection = Outputs['venueConnections']['list'][number];
export type ConnectionState = Connection['state'];
type Environment = Connection['environment'];
export type ConnectionCheck = Connection['checks'][number];

/** What a state lets through, as a sentence. */
const MEANS: Readonly<Record<ConnectionState, string>> = {
  unverified: 'Nothing leaves through it until every check is green.',
  ready: 'Buys, sells and cancels leave through it.',
  reduce_only: 'Sells and cancels leave through it, buys do not.',
  halted: 'Only cancels leave through it, until you resume it.',
  expired: 'The venue takes its key no more. Put another key in place.',
  revoked: 'Its credentials are forgotten. It stands for the orders that went through it.',
};

const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  demo: 'Demo',
  testnet: 'Test network',
  live: 'Real money',
};

/** Checks as they are called on the page; others are shown as they are named. */
const CHECKS: Readonly<Record<string, string>> = {
  signed_read: 'The account can be read',
  spoiled_signature: 'A wrong signature is refused',
  clock: 'Clock',
  permissions: 'Permissions',
  account: 'Connected once',
  only_connection: 'The only one to its venue',
  key_expiry: 'The key lasts',
  region: 'Region',
  trading: 'The venue is open',
  balance: 'Balance',
  allowances: 'Allowances',
  netting: 'Netting',
  fees: 'Fees',
  open_orders: 'Open orders',
  positions: 'Positions',
  stream: 'Stream of the account',
  cancel_all: 'Cancel of all orders',
  rehearsal: 'A small order on trial',
};

const TONES = { green: 'ok', red: 'bad', grey: 'idle' } as const;
const VERDICTS = { green: 'in order', red: 'wrong', grey: 'not known' } as const;

export const stateMeans = (state: ConnectionState): string => MEANS[state];
export const environmentWords = (environment: Environment): string => ENVIRONMENTS[environment];
export const checkTitle = (name: string): string => CHECKS[name] ?? sentence(name);
export const checkTone = (state: ConnectionCheck['state']) => TONES[state];
export const checkVerdict = (state: ConnectionCheck['state']): string => VERDICTS[state];

const sentence = (name: string): string => {
  const words = name.replaceAll(/[._-]/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `41 ms ahead`, `in step`, or a dash where it was never measured. */
export function clockWords(offsetMs: number | null): string {
  if (offsetMs === null) return '—';
  if (offsetMs === 0) return 'in step';
  return `${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}

/** Whether something may still be asked of it. */
export const isInUse = ({ state }: Connection): boolean => state !== 'revoked';
/** Whether it needs a person before anything can be traded through it again. */
export const needsPerson = ({ state }: Connection): boolean => state === 'halted' || state === 'expired';
/** Whether a person stopped it, or something only a person mends did. */
export const canResume = ({ state, stateCode }: Connection): boolean =>
  state === 'halted' || (state === 'reduce_only' && stateCode === 'by_person');
