import { z } from 'zod';
import { TEMPLATE_BACKTESTS, TEMPLATES } from '../../../engine/strategy/graph/templates/index.ts';
import { pickTemplateInstruments } from '../../../engine/usecases/blueprints/template-instruments.ts';
import { anyJson, listOf, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Backtest = z.object({
  from: timestamp,
  to: timestamp,
  coins: listOf(z.string()),
  equity: listOf(z.number()),
});
const Template = z.object({
  key: z.string(),
  name: z.string(),
  summary: z.string(),
  visual: anyJson,
  backtest: Backtest.nullable(),
});

/** Example strategies, drawn on instruments that are traded now. */
export const templates = procedure({ scope: 'blueprints:read', bucket: 'market_data' })
  .input(z.strictObject({}))
  .output(listOf(Template))
  .query(async ({ ctx }) => {
    const instruments = await pickTemplateInstruments(ctx.market);
    return TEMPLATES.map(({ key, name, summary, visual }) => ({
      key,
      name,
      summary,
      visual: visual(instruments),
      backtest: TEMPLATE_BACKTESTS[key] ?? null,
    }));
  });
