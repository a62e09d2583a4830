/** Common names of the most traded coins; venues know only their symbols. */
const COINS: Readonly<Record<string, string>> = {
  aave: 'AAVE',
  algorand: 'ALGO',
  aptos: 'APT',
  arbitrum: 'ARB',
  avalanche: 'AVAX',
  'binance coin': 'BNB',
  bitcoin: 'BTC',
  'bitcoin cash': 'BCH',
  cardano: 'ADA',
  chainlink: 'LINK',
  cosmos: 'ATOM',
  dogecoin: 'DOGE',
  ethereum: 'ETH',
  filecoin: 'FIL',
  hedera: 'HBAR',
  litecoin: 'LTC',
  near: 'NEAR',
  optimism: 'OP',
  polkadot: 'DOT',
  ripple: 'XRP',
  'shiba inu': 'SHIB',
  solana: 'SOL',
  stellar: 'XLM',
  sui: 'SUI',
  toncoin: 'TON',
  tron: 'TRX',
  uniswap: 'UNI',
};

/** Fewer letters match the names of too many coins. */
const LETTERS_MIN = 3;

/** Finds the symbol of the coin with this name, or whose name begins so; null for other words. */
export function symbolOfCoin(words: string): string | null {
  const name = words.trim().toLowerCase();
  if (Object.hasOwn(COINS, name)) return COINS[name] ?? null;
  if (name.length < LETTERS_MIN) return null;
  return Object.entries(COINS).find(([known]) => known.startsWith(name))?.[1] ?? null;
}
