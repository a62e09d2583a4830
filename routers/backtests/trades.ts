import { z } from 'zod';
import type { TradePartRow } from '../../engine/research/playback/result.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { decimalNumber, listOf, timestamp } from '../schemas.ts';
import { ResultRowsInput, resultPageOf } from './result-rows.ts';

export const TradeView = z
  .object({
    holding: z.string().meta({ description: 'The instrument.' }),
    openedAt: timestamp,
    closedAt: timestamp,
    bought: decimalNumber.meta({ description: 'USD, without fees.' }),
    sold: decimalNumber,
    fees: decimalNumber,
    pnl: decimalNumber.meta({ description: '`sold - bought - fees`.' }),
    amountMax: decimalNumber,
    entryPrice: decimalNumber,
    settledAt: decimalNumber.nullable().meta({ description: 'The settlement’s value; null if it was sold.' }),
    worstPnl: decimalNumber,
    bestPnl: decimalNumber,
  })
  .meta({ id: 'BacktestTrade' });

/** A trade with its times in the form of the API. */
export const viewTrade = ({ openedAtMs, closedAtMs, ...trade }: TradePartRow) => ({
  ...trade,
  openedAt: new Date(openedAtMs).toISOString(),
  closedAt: new Date(closedAtMs).toISOString(),
});

export const trades = route({
  method: 'GET',
  path: '/api/backtests/{id}/trades',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Backtests',
  summary: 'The trades of a backtest',
  description: 'Each from flat through held to flat, in the order they ended. Current holdings are in none.',
  pages: true,
  example: {
    path: { id: EXAMPLE.backtestId },
    response: [
      {
        holding: 'BTCUSDT',
        openedAt: '2026-09-02T10:00:02.000Z',
        closedAt: '2026-09-02T16:00:02.000Z',
        bought: 60.1,
        sold: 61.2,
        fees: 0.12,
        pnl: 0.98,
        amountMax: 0.001,
        entryPrice: 60_100,
        settledAt: null,
        worstPnl: -0.4,
        bestPnl: 1.3,
      },
    ],
  },
  input: ResultRowsInput,
  output: listOf(TradeView),
  resolve: async (call) => (await resultPageOf(call, 'trade')).map(viewTrade),
});
