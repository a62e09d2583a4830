import type { Outputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';

export type Connection = Outputs['venueConnections']['list'][number];
export type ConnectionState = Connection['state'];
type Environment = Connection['environment'];
export type ConnectionCheck = Connection['checks'][number];

/** The effect of a state, as a sentence. */
const MEANS: Readonly<Record<ConnectionState, Message>> = {
  unverified: msg('Nothing leaves through it until every check is green.'),
  ready: msg('Buys, sells and cancels leave through it.'),
  reduce_only: msg('Sells and cancels leave through it, buys do not.'),
  halted: msg('Only cancels leave through it, until you resume it.'),
  expired: msg('The venue no longer accepts its key. Replace the key.'),
  revoked: msg('Its credentials are deleted. Its record stays, for the orders that went through it.'),
};

const ENVIRONMENTS: Readonly<Record<Environment, Message>> = {
  demo: msg('Demo'),
  testnet: msg('Test network'),
  live: msg('Real money'),
};

/** Checks by their names on the page; others keep their own. */
const CHECKS: Readonly<Record<string, Message>> = {
  signed_read: msg('The account can be read'),
  spoiled_signature: msg('A wrong signature is refused'),
  clock: msg('Clock'),
  permissions: msg('Permissions'),
  account: msg('Connected once'),
  only_connection: msg('The only one to its venue'),
  key_expiry: msg('The key lasts'),
  region: msg('Region'),
  trading: msg('The venue is open'),
  balance: msg('Balance'),
  allowances: msg('Allowances'),
  netting: msg('Netting'),
  fees: msg('Fees'),
  open_orders: msg('Open orders'),
  positions: msg('Positions'),
  stream: msg('Stream of the account'),
  cancel_all: msg('Cancel of all orders'),
  rehearsal: msg('A small order on trial'),
};

const TONES = { green: 'ok', red: 'bad', grey: 'idle' } as const;
const VERDICTS = { green: msg('in order'), red: msg('wrong'), grey: msg('not known') } as const;

export const stateEffect = (state: ConnectionState): string => t(MEANS[state]);
export const environmentWords = (environment: Environment): string => t(ENVIRONMENTS[environment]);
export function checkTitle(name: string): string {
  const known = CHECKS[name];
  return known ? t(known) : sentence(name);
}
export const checkTone = (state: ConnectionCheck['state']) => TONES[state];
export const checkVerdict = (state: ConnectionCheck['state']): string => t(VERDICTS[state]);

const sentence = (name: string): string => {
  const words = name.replaceAll(/[._-]/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `41 ms ahead`, `in step`, or a dash if it was never measured. */
export function clockWords(offsetMs: number | null): string {
  if (offsetMs === null) return '—';
  if (offsetMs === 0) return t('in step');
  const ms = Math.abs(offsetMs);
  return offsetMs > 0 ? t('{ms} ms ahead', { ms }) : t('{ms} ms behind', { ms });
}

/** Whether requests can still be made through it. */
export const isInUse = ({ state }: Connection): boolean => state !== 'revoked';
/** Whether a person must act before it can trade again. */
export const needsPerson = ({ state }: Connection): boolean => state === 'halted' || state === 'expired';
/** Whether a person can resume it: a person halted it, or a cause that only a person can resolve. */
export const canResume = ({ state, stateCode }: Connection): boolean =>
  state === 'halted' || (state === 'reduce_only' && stateCode === 'by_person');
