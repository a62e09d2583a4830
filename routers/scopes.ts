/** The contract's own list. Each scope has the sentence that a person reads when choosing it. */
export const CONTRACT_SCOPES = {
  'blueprints:read': 'Read blueprints, their releases and the node catalogue',
  'blueprints:write': 'Create, edit and delete blueprints',
  'blueprints:deploy': 'Deploy and stop blueprints',
  'orders:read': 'Read orders and order intents',
  'orders:write': 'Approve, decline and cancel orders',
  'portfolio:read': 'Read positions, profit and loss',
  'portfolio:write': 'Close positions',
  'risk:read': 'Read risk rules and their usage',
  'risk:write': 'Change risk rules',
  'api_keys:write': 'List and revoke API keys',
  'market_data:read': 'Read market data',
} as const;

/** Scopes outside the contract: no documented request needs them. */
export const FURTHER_SCOPES = {
  'orders:place': 'Buy and sell by hand',
  'notifications:read': 'Read channels of notifications and their delivery log',
  'notifications:write': 'Add, change, test and remove channels of notifications',
  'signals:read': 'Read signals and their newest values',
  'signals:write': 'Add and remove signals, and send values to them',
} as const;

/** Every scope a key can hold, except the live scopes. */
export const SCOPES = { ...CONTRACT_SCOPES, ...FURTHER_SCOPES } as const;

/**
 * The further scopes that a key needs to move real money. Only a key made for it holds them. No paper request requires them.
 */
export const LIVE_SCOPES = {
  'trade:live': 'Trade with real money',
  'approve:live': 'Approve orders with real money',
} as const;
export type LiveScope = keyof typeof LIVE_SCOPES;
export const LIVE_SCOPE_NAMES = Object.keys(LIVE_SCOPES) as [LiveScope, ...LiveScope[]];

export type Scope = keyof typeof SCOPES;
/** They make what outlives a revoked key, or leaves the service: other keys, channels, tokens of signals. */
const OWN_KEY_SCOPES = ['api_keys:write', 'notifications:write', 'signals:write'] as const;
type OwnKeyScope = (typeof OWN_KEY_SCOPES)[number];
type ClientScope = Exclude<Scope, OwnKeyScope>;

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/** The scopes that a connected client can be granted. The others need a key made by hand. */
export const CLIENT_SCOPES = SCOPE_NAMES.filter(
  (scope) => !OWN_KEY_SCOPES.includes(scope as OwnKeyScope),
) as [ClientScope, ...ClientScope[]];
