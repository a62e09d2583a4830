/**
 * The contracts that orders of venue B are signed for. The table is pinned: an address from an answer or a setting would let a
 * third party decide what a signature is worth. Sources: `production` of github.com/Polymarket/ts-sdk
 * (`packages/client/src/environments.ts`) and `py_clob_client_v2/config.py` of github.com/Polymarket/py-clob-client-v2.
 */

/** `demo` is the simulator. The venue has no test network with trading. */
export type PolymarketEnvironment = 'demo' | 'live';

/** The exchange that settles a market: the standard one, the one of exclusive groups, or the one of the second protocol. */
export const EXCHANGE_KINDS = ['standard', 'neg_risk', 'v3'] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** The contract that a signature is bound to. */
export type ExchangeDomain = {
  readonly version: '2' | '3';
  readonly chainId: number;
  readonly verifyingContract: string;
};

/** Polygon; the demo signs for Amoy, so that its signatures are worthless where real money is. */
const CHAINS = { live: 137, demo: 80_002 } as const satisfies Record<PolymarketEnvironment, number>;

const EXCHANGES = {
  standard: { version: '2', verifyingContract: '0xE111180000d2663C0091e4f400237545B87B996B' },
  neg_risk: { version: '2', verifyingContract: '0xe2222d279d744050d28e00520010520000310F59' },
  v3: { version: '3', verifyingContract: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa' },
} as const satisfies Record<ExchangeKind, Omit<ExchangeDomain, 'chainId'>>;

export const domainOf = (environment: PolymarketEnvironment, kind: ExchangeKind): ExchangeDomain => ({
  ...EXCHANGES[kind],
  chainId: CHAINS[environment],
});

/** All addresses that may move the collateral of a trader, in lower case. */
export const EXCHANGE_ADDRESSES: readonly string[] = EXCHANGE_KINDS.map((kind) =>
  EXCHANGES[kind].verifyingContract.toLowerCase(),
);
