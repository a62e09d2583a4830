import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import {
  listPositions,
  type PositionView as PositionRow,
  portfolioSummary,
} from '../../engine/accounting/portfolio.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { writeOff } from '../../engine/positions/write-off.ts';
import { EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { exactNumber, line, listOf, timestamp, uuid } from '../schemas.ts';
import { procedure, router, sessionProcedure } from '../trpc.ts';
import { history } from './history.ts';

const Summary = z
  .object({
    runningBlueprints: z.number(),
    openPositions: z.number().meta({ description: 'Distinct instruments held.' }),
    pendingOrders: z.number().meta({ description: 'Intents that wait for approval.' }),
    totalPnl: z.number().meta({ description: 'USD. Realized plus unrealized at marks, after fees.' }),
  })
  .meta({ id: 'PortfolioSummary' });

const summary = procedure({ scope: 'portfolio:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/portfolio',
      tag: 'Portfolio',
      summary: 'Portfolio summary',
      description: 'Counts and profit and loss of the whole account.',
      example: { response: { runningBlueprints: 2, openPositions: 3, pendingOrders: 1, totalPnl: 12.34 } },
    }),
  )
  .input(z.strictObject({}))
  .output(Summary)
  .query(async ({ ctx }) => {
    const { totalPnl, ...counts } = await portfolioSummary(ctx.work);
    return { ...counts, totalPnl: Number(totalPnl) };
  });

const PositionView = z
  .object({
    tokenId: z.string(),
    venue: z.enum(VENUE_IDS),
    title: z.string(),
    amount: z.number(),
    amountClosing: z.number().meta({ description: 'Reserved by live sells.' }),
    averageCost: z.number().meta({ description: 'USD per unit, fees not included.' }),
    markPrice: z.number().nullable().meta({ description: 'USD. Best bid; null until the first quote.' }),
    unrealizedPnl: z.number().nullable(),
    realizedPnl: z.number(),
    blueprintId: z.uuid(),
    openedAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Position', description: 'What one blueprint holds of one instrument.' });

const viewPosition = (row: PositionRow): z.input<typeof PositionView> => ({
  ...row,
  amount: Number(row.amount),
  amountClosing: Number(row.amountClosing),
  averageCost: Number(row.averageCost),
  markPrice: row.markPrice === null ? null : Number(row.markPrice),
  unrealizedPnl: row.unrealizedPnl === null ? null : Number(row.unrealizedPnl),
  realizedPnl: Number(row.realizedPnl),
});

const positions = procedure({ scope: 'portfolio:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/portfolio/positions',
      tag: 'Portfolio',
      summary: 'List positions',
      description: 'What is held, one row per instrument and blueprint.',
      example: {
        response: [
          {
            tokenId: 'BTCUSDT',
            venue: 'crypto',
            title: 'BTC/USDT',
            amount: 0.001,
            amountClosing: 0,
            averageCost: 86398.01,
            markPrice: 86512.4,
            unrealizedPnl: 0.11439,
            realizedPnl: -0.08639801,
            blueprintId: EXAMPLE.blueprintId,
            openedAt: EXAMPLE.createdAt,
            updatedAt: EXAMPLE.updatedAt,
          },
        ],
      },
    }),
  )
  .input(z.strictObject({}))
  .output(listOf(PositionView))
  .query(async ({ ctx }) => (await listPositions(ctx.work)).map(viewPosition));

const CloseIntent = z
  .object({
    intentId: z.uuid().meta({ description: 'The sell order intent; its order has the same id.' }),
    status: z.enum(ORDER_STATUSES),
    amount: z.number(),
  })
  .meta({ id: 'ClosePositionIntent' });

const close = procedure({ scope: 'portfolio:write', bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/portfolio/positions/close',
      tag: 'Portfolio',
      summary: 'Close part of a position',
      description:
        'Creates a sell order intent: immediate or cancel, within the price band. What stays unfilled stays held.',
      alsoAnswers: [404],
      example: {
        request: { tokenId: 'BTCUSDT', amount: 0.0005 },
        response: { intentId: EXAMPLE.orderId, status: 'queued', amount: 0.0005 },
      },
    }),
  )
  .input(
    z.strictObject({
      tokenId: line(1, 200).meta({ description: 'The instrument as orders name it.' }),
      amount: exactNumber({ above: 0 }).meta({ description: 'Quantity to sell, above 0.' }),
      blueprintId: uuid.optional().meta({ description: 'Sell only what this blueprint holds.' }),
    }),
  )
  .output(CloseIntent)
  .mutation(
    once(async ({ ctx, input: { tokenId, amount, blueprintId } }) => {
      const request = { tokenId, amount: String(amount), ...(blueprintId && { blueprintId }) };
      const intent = await closePosition(ctx.work, request, ctx.trading);
      ctx.nudgeOrders();
      return { ...intent, amount: Number(intent.amount) };
    }),
  );

const WrittenOff = z
  .object({
    tokenId: z.string(),
    amount: z.number(),
    value: z.number().meta({ description: 'USD per unit, as stated.' }),
    realizedPnl: z.number().meta({ description: 'USD.' }),
  })
  .meta({ id: 'WrittenOffPosition' });

const writeOffPosition = sessionProcedure({ bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/portfolio/positions/write-off',
      tag: 'Portfolio',
      summary: 'Write off a position nobody can sell',
      description:
        'Web session only. Takes all that is held of an instrument off the books at a value you state, where its venue does not know it any more, has settled it without saying what it pays, or takes nothing so small. Audited.',
      alsoAnswers: [404],
      example: {
        request: { tokenId: 'KXELONMARS-99:yes', value: 0 },
        response: { tokenId: 'KXELONMARS-99:yes', amount: 3, value: 0, realizedPnl: -1.5 },
      },
    }),
  )
  .input(
    z.strictObject({
      tokenId: line(1, 200).meta({ description: 'The instrument as orders name it.' }),
      value: exactNumber({ min: 0 }).meta({
        description:
          'USD per unit. At most the best bid for an amount too small to sell; 1 for an outcome, the last mark for a coin, that nobody trades any more.',
      }),
      blueprintId: uuid.optional().meta({ description: 'Write off only what this blueprint holds.' }),
    }),
  )
  .output(WrittenOff)
  .mutation(
    once(async ({ ctx, input: { tokenId, value, blueprintId } }) => {
      const written = await writeOff(ctx.work, {
        tokenId,
        value: String(value),
        ...(blueprintId && { blueprintId }),
      });
      return {
        ...written,
        amount: Number(written.amount),
        value: Number(written.value),
        realizedPnl: Number(written.realizedPnl),
      };
    }),
  );

export const portfolio = router({ summary, positions, close, writeOff: writeOffPosition, history });
