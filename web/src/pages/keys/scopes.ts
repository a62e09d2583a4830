import type { Inputs } from '../../api/trpc.ts';
import { type Message, msg } from '../../language/language.ts';

export type Scope = Inputs['apiKeys']['create']['scopes'][number];

/** Scopes as a matrix: a row per resource, a column per kind of access. */
export const SCOPE_MATRIX: readonly {
  thing: Message;
  read?: Scope;
  write?: Scope;
  deploy?: Scope;
  help: Message;
}[] = [
  {
    thing: msg('Strategies'),
    read: 'blueprints:read',
    write: 'blueprints:write',
    deploy: 'blueprints:deploy',
    help: msg('Edit strategies; deploy starts and stops them.'),
  },
  {
    thing: msg('Orders'),
    read: 'orders:read',
    write: 'orders:write',
    help: msg('Write approves, rejects and cancels.'),
  },
  {
    thing: msg('Orders by hand'),
    write: 'orders:place',
    help: msg('Buys and sells what the holder of the key chooses.'),
  },
  {
    thing: msg('Portfolio'),
    read: 'portfolio:read',
    write: 'portfolio:write',
    help: msg('Write closes positions.'),
  },
  {
    thing: msg('Risk rules'),
    read: 'risk:read',
    write: 'risk:write',
    help: msg('Write can loosen every limit.'),
  },
  {
    thing: msg('API keys'),
    write: 'api_keys:write',
    help: msg('Lists and revokes keys; a key cannot make one.'),
  },
  {
    thing: msg('Notifications'),
    read: 'notifications:read',
    write: 'notifications:write',
    help: msg('Channels and what was sent by them; write adds and removes channels.'),
  },
  {
    thing: msg('Signals'),
    read: 'signals:read',
    write: 'signals:write',
    help: msg('Values from outside that strategies read; write sends them.'),
  },
  { thing: msg('Market data'), read: 'market_data:read', help: msg('Prices, books and history.') },
];

/** The number of all scopes. */
export const SCOPE_COUNT = SCOPE_MATRIX.flatMap(({ read, write, deploy }) =>
  [read, write, deploy].filter((scope) => scope !== undefined),
).length;

/** Scopes that can move money, or change its protections. */
export const DANGEROUS_SCOPES: ReadonlySet<Scope> = new Set<Scope>([
  'blueprints:deploy',
  'orders:write',
  'orders:place',
  'portfolio:write',
  'risk:write',
]);

const isScope = (scope: Scope | undefined): scope is Scope => scope !== undefined;
const READS: readonly Scope[] = SCOPE_MATRIX.flatMap(({ read }) => (read ? [read] : []));

export const SCOPE_PRESETS: readonly { name: Message; scopes: readonly Scope[] }[] = [
  { name: msg('None'), scopes: [] },
  { name: msg('Read-only'), scopes: READS },
  {
    name: msg('Operator'),
    scopes: [...READS, 'blueprints:write', 'blueprints:deploy', 'orders:write', 'portfolio:write'],
  },
  {
    name: msg('Everything'),
    scopes: SCOPE_MATRIX.flatMap(({ read, write, deploy }) => [read, write, deploy].filter(isScope)),
  },
];
