import { z } from 'zod';
import { invalid } from '../../engine/platform/errors.ts';
import type { MarketData, CryptoView as View } from '../../venues/port.ts';
import { CANDLE_INTERVALS, CryptoView } from '../../venues/views.ts';
import { route } from '../route.ts';
import { parsedSync, queryInteger, singleLineText } from '../schemas.ts';
import { soleSelector } from './selector.ts';

const LIMIT_DEFAULT = 50;

const Input = z.strictObject({
  symbol: z
    .string()
    .regex(/^[A-Za-z0-9]{2,20}([-/][A-Za-z0-9]{2,10})?$/, {
      error: 'is not a symbol: letters and digits, such as BTCUSDT, BTC, btc-usdt or BTC/USDT',
    })
    .optional()
    .meta({ description: 'Crypto symbol to fetch: `BTCUSDT`, `BTC`, `btc-usdt` or `BTC/USDT`.' }),
  type: z
    .enum(['trades', 'klines', 'symbols'])
    .optional()
    .meta({ description: 'Response mode; without it a current symbol summary.' }),
  interval: z
    .enum(CANDLE_INTERVALS)
    .optional()
    .meta({ description: 'Kline interval, used when `type` is `klines`; 1h by default. `1m` is not `1M`.' }),
  limit: queryInteger(1, 100)
    .optional()
    .meta({ description: 'Maximum number of points or symbols; 50 by default.' }),
  search: singleLineText(1, 50)
    .optional()
    .meta({ description: 'Symbol search query, used when `type` is `symbols`.' }),
});

export const crypto = route({
  method: 'GET',
  path: '/api/crypto',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'Crypto market data',
  description: 'A symbol summary (default), recent trades, klines, or a symbol search.',
  alsoAnswers: [404],
  example: {
    query: { symbol: 'BTCUSDT' },
    response: {
      kind: 'summary',
      symbol: 'BTCUSDT',
      price: 86398.01,
      change: -812.1,
      changePct: -0.931,
      high: 87950,
      low: 85811.02,
      volume: 18211.5531,
      quoteVolume: 1582392211.11,
      bid: 86398,
      ask: 86398.01,
      bidSize: 2.1,
      askSize: 0.8,
      fees: { formula: 'notional', takerRate: 0.001, makerRate: 0.001, exponent: 1, roundUpTo: null },
      source: 'simulator',
      asOf: '2026-11-20T09:05:00.000Z',
    },
  },
  input: Input,
  output: parsedSync(CryptoView.meta({ id: 'Crypto' })),
  resolve: ({ ctx, input }) => answer(ctx.market, input),
});

async function answer(market: MarketData, input: z.output<typeof Input>): Promise<View> {
  const crypto = market.at('crypto');
  const { type, limit = LIMIT_DEFAULT } = input;
  soleSelector(input, ['symbol', 'search']);
  if (type === 'symbols') return crypto.symbols(input.search ?? null, limit);
  const { symbol } = input;
  if (symbol === undefined) throw symbolRequired();
  switch (type) {
    case 'trades':
      return crypto.trades(symbol, limit);
    case 'klines':
      return crypto.klines(symbol, input.interval ?? '1h', limit);
    case undefined:
      return crypto.summary(symbol);
  }
}

const symbolRequired = () =>
  invalid([{ path: '/symbol', code: 'required', message: 'is required unless `type` is `symbols`' }]);
