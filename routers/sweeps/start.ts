import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { prepareSweep, runsOf, startSweep } from '../../engine/research/sweeps/start.ts';
import { EXAMPLE } from '../examples.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { route } from '../route.ts';
import { START_EXAMPLE } from './examples.ts';
import { SweepInput, sweepInputOf } from './request.ts';

export const start = route({
  method: 'POST',
  path: '/api/sweeps',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Sweeps',
  summary: 'Try a strategy with many values',
  description:
    'Queues a sweep: at most 1 runs and 5 wait per account, each with at most 10,000 trials. Every combination is compiled first.',
  alsoAnswers: [404],
  idempotent: true,
  example: { request: START_EXAMPLE, response: { id: EXAMPLE.sweepId, status: 'queued', runsAtMost: 5 } },
  input: SweepInput,
  output: z.object({
    id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    runsAtMost: z
      .int()
      .meta({ description: 'Trials over the range and in folds, if all combinations compile.' }),
  }),
  prepare: ({ ctx, input }) => {
    const { work, market, trading } = ctx;
    return prepareSweep(work, sweepInputOf(input), {
      market,
      settings: trading,
      admit: limitVenueLookUps(ctx),
    });
  },
  resolve: async ({ ctx }, prepared) => {
    const { id, status, request } = await startSweep(ctx.work, prepared);
    ctx.wakeBacktests();
    return { id, status, runsAtMost: runsOf(request) };
  },
});
