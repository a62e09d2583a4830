import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { dataHashesOf } from '../../engine/research/backtests/backtest-data.ts';
import {
  backtestDataNeedsOf,
  refuseTooLargeRun,
} from '../../engine/research/backtests/backtest-data-needs.ts';
import { prepareBacktest } from '../../engine/research/backtests/prepare.ts';
import { startBacktest } from '../../engine/research/backtests/start.ts';
import { EXAMPLE } from '../examples.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { route } from '../route.ts';
import { START_EXAMPLE } from './examples.ts';
import { backtestInputOf, RequestInput } from './request.ts';

export const start = route({
  method: 'POST',
  path: '/api/backtests',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Backtests',
  summary: 'Run a strategy over history',
  description:
    'Queues a run: at most 2 run and 10 wait per account. If the same was computed before, that backtest is returned, unless `fresh` is true.',
  alsoAnswers: [404],
  idempotent: true,
  example: {
    request: START_EXAMPLE,
    response: {
      id: EXAMPLE.backtestId,
      status: 'queued',
      requestHash: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
      reusedFrom: null,
    },
  },
  input: RequestInput,
  output: z.object({
    id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    requestHash: z.string().meta({ description: 'SHA-256 of every input of the result.' }),
    reusedFrom: z.uuid().nullable().meta({ description: 'The earlier run with the same result.' }),
  }),
  prepare: async ({ ctx, input }) => {
    const { work, market, trading } = ctx;
    const request = backtestInputOf(input);
    const prepared = await prepareBacktest(work, request, {
      market,
      settings: trading,
      admit: limitVenueLookUps(ctx),
    });
    const needs = backtestDataNeedsOf(prepared.request, prepared.visual);
    refuseTooLargeRun(needs);
    return { prepared, requestHash: await dataHashesOf(work.db, work.accountId, prepared, needs) };
  },
  resolve: async ({ ctx, input }, { prepared, requestHash }) => {
    const { row, reusedFrom } = await startBacktest(ctx.work, prepared, {
      requestHash,
      fresh: input.fresh ?? false,
    });
    ctx.wakeBacktests();
    return { id: row.id, status: row.status, requestHash: row.request_hash, reusedFrom };
  },
});
