/** Binance's URLs by environment: a table in code, never an address from a user. */

export type BinanceEnvironment = 'demo' | 'testnet' | 'live';

export type Hosts = {
  /** The base of every route, with a slash at the end. */
  readonly api: string;
  readonly socket: string;
  /** Whether it has the routes under `sapi`, which state the rights of a key. */
  readonly hasWallet: boolean;
};

const HOSTS: Readonly<Record<BinanceEnvironment, Hosts>> = {
  live: {
    api: 'https://api.binance.com/',
    socket: 'wss://ws-api.binance.com:443/ws-api/v3',
    hasWallet: true,
  },
  testnet: {
    api: 'https://testnet.binance.vision/',
    socket: 'wss://ws-api.testnet.binance.vision/ws-api/v3',
    hasWallet: false,
  },
  demo: {
    api: 'https://demo-api.binance.com/',
    socket: 'wss://demo-ws-api.binance.com/ws-api/v3',
    hasWallet: false,
  },
};

/** Hosts of a simulator (`http://127.0.0.1:41000`), or of Binance. */
export function hostsOf(environment: BinanceEnvironment, simulatorUrl: string | null = null): Hosts {
  const { hasWallet } = HOSTS[environment];
  if (simulatorUrl === null) return HOSTS[environment];
  const base = `${simulatorUrl}/binance${environment === 'live' ? '' : `-${environment}`}/`;
  return { api: base, socket: `${base.replace(/^http/, 'ws')}ws-api/v3`, hasWallet };
}
