import { defineDriver } from '../define-driver.ts';
import type { Coins, Crypto } from '../reads.ts';
import { binanceAccess } from './credentials.ts';
import { Binance } from './index.ts';

const EXAMPLE = 'BTCUSDT';

export const binance = defineDriver({
  id: 'crypto',
  open: ({ upstream, shared }) => new Binance({ api: upstream('binance'), ...shared }),
  access: binanceAccess,
  check: async (crypto: Crypto & Coins, probe) => {
    await probe('summary', () => crypto.summary(EXAMPLE));
    await probe('trades', () => crypto.trades(EXAMPLE, 3));
    await probe('klines', () => crypto.klines(EXAMPLE, '1h', 3));
    await probe('symbols', () => crypto.symbols('BTC', 3));
    return EXAMPLE;
  },
});
