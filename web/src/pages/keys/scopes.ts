import type { Inputs } from '../../api/trpc.ts';

export type Scope = Inputs['apiKeys']['create']['scopes'][number];

/** Scopes as a matrix: a row per thing, a column per kind of access. */
export const MATRIX: readonly { thing: string; read?: Scope; write?: Scope; deploy?: Scope; help: string }[] =
  [
    {
      thing: 'Blueprints',
      read: 'blueprints:read',
      write: 'blueprints:write',
      deploy: 'blueprints:deploy',
      help: 'Draw strategies; deploy starts and stops them.',
    },
    {
      thing: 'Orders',
      read: 'orders:read',
      write: 'orders:write',
      help: 'Write approves, declines and cancels.',
    },
    { thing: 'Portfolio', read: 'portfolio:read', write: 'portfolio:write', help: 'Write closes positions.' },
    { thing: 'Risk rules', read: 'risk:read', write: 'risk:write', help: 'Write can loosen every limit.' },
    { thing: 'API keys', write: 'api_keys:write', help: 'Lists and revokes keys; a key cannot make one.' },
    { thing: 'Market data', read: 'market_data:read', help: 'Prices, books and history.' },
  ];

/** Scopes that can move money or what guards it. */
export const DANGEROUS: ReadonlySet<Scope> = new Set<Scope>([
  'blueprints:deploy',
  'orders:write',
  'portfolio:write',
  'risk:write',
]);

const READS: readonly Scope[] = MATRIX.flatMap(({ read }) => (read ? [read] : []));

export const PRESETS: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: 'None', scopes: [] },
  { name: 'Read-only', scopes: READS },
  {
    name: 'Operator',
    scopes: [...READS, 'blueprints:write', 'blueprints:deploy', 'orders:write', 'portfolio:write'],
  },
];
