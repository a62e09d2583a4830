import { z } from 'zod';
import { TEMPLATE_BACKTESTS, TEMPLATES } from '../../../engine/strategy/graph/templates/index.ts';
import { TEMPLATE_GROUPS } from '../../../engine/strategy/graph/templates/template.ts';
import { pickTemplateInstruments } from '../../../engine/usecases/blueprints/template-instruments.ts';
import { Verdict } from '../../backtests/schemas.ts';
import { anyJson, listOf, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Backtest = z.object({
  from: timestamp,
  to: timestamp,
  markets: listOf(z.string()),
  equity: listOf(z.number()),
  buyAndHold: z.number().nullable(),
  maxExposure: z.number(),
  filled: z.int(),
  verdicts: listOf(Verdict),
});
const Template = z.object({
  key: z.string(),
  group: z.enum(TEMPLATE_GROUPS),
  name: z.string(),
  summary: z.string(),
  risk: z.string(),
  visual: anyJson,
  backtest: Backtest.nullable(),
});

/** Example strategies, drawn on instruments that are traded now. */
export const templates = procedure({ scope: 'blueprints:read', bucket: 'market_data' })
  .input(z.strictObject({}))
  .output(listOf(Template))
  .query(async ({ ctx }) => {
    const instruments = await pickTemplateInstruments(ctx.market);
    return TEMPLATES.map(({ visual, ...words }) => ({
      ...words,
      visual: visual(instruments),
      backtest: TEMPLATE_BACKTESTS[words.key] ?? null,
    }));
  });
