import { z } from 'zod';
import type { BacktestParams } from '../../engine/research/backtests/prepare.ts';
import { byApiRule, byOptionalRule } from '../../engine/risk/rules/catalogue.ts';
import { Visual } from '../blueprints/schemas.ts';
import { exactInteger, exactNumber, moment, singleLineText, uuid } from '../schemas.ts';

const SEED_MAX = 4_294_967_295;
/** An order expires 30 s after it was cleared: one that arrives later would never trade. */
export const LATENCY_MS_MAX = 10_000;
const TICKS_MAX = 1_000;
const DELAY_SEC_MAX = 86_400;
/** The most substitutes of one token. */
const SUBSTITUTES_MAX = 500;
const TOKEN_LENGTH_MAX = 200;

const decimalText = z
  .string()
  .max(30)
  .regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/, { error: 'is not a decimal such as 10000 or 0.1' });
const positive = decimalText.refine((text) => Number(text) > 0, { error: 'must be above 0' });
const token = singleLineText(1, TOKEN_LENGTH_MAX);
const whole = exactInteger(0, 2_147_483_647);
const usd = exactNumber({ min: 0 });

const Rules = z.strictObject({
  ...byApiRule(({ isWhole, description }) => (isWhole ? whole : usd).meta({ description })),
  ...byOptionalRule(({ isWhole, description }) =>
    (isWhole ? whole : usd).nullable().optional().meta({ description }),
  ),
});

/** An omitted field gets its conservative default. */
export const RequestInput = z.strictObject({
  blueprintId: uuid.nullish().meta({ description: 'The blueprint; absent for a graph without one.' }),
  release: exactInteger(1, 1_000_000_000)
    .nullish()
    .meta({ description: 'Release of the blueprint; its draft if absent.' }),
  visual: Visual.optional().meta({ description: 'A graph, instead of a blueprint’s.' }),
  from: moment.meta({ description: 'First instant. Warm-up history is added before it.' }),
  to: moment.meta({ description: 'End, not included; nothing after now.' }),
  cash: positive.optional().meta({ description: 'USD at the start, a decimal; 10000 by default.' }),
  seed: exactInteger(0, SEED_MAX).optional().meta({ description: 'Seed of names and of random choices.' }),
  riskFree: exactNumber({ min: 0, max: 10 }).optional().meta({
    description: 'Riskless return of a year, as a fraction; 0 by default.',
  }),
  fresh: z
    .boolean()
    .optional()
    .meta({ description: 'Computes the backtest again, even if a result of the same request exists.' }),
  data: z
    .strictObject({
      source: z.enum(['auto', 'recorded', 'bars']).optional(),
      detail: z.enum(['auto', '1s', '1m', 'none']).optional(),
      substitute: z
        .record(token, z.array(token).min(1).max(SUBSTITUTES_MAX))
        .refine((substitute) => Object.keys(substitute).length <= 1, {
          error: 'takes one instrument of the graph',
        })
        .optional(),
    })
    .optional()
    .meta({ description: 'The history to use.' }),
  fills: z
    .strictObject({
      latencyMs: exactInteger(0, LATENCY_MS_MAX).optional(),
      halfSpread: z.union([z.literal('auto'), decimalText]).optional(),
      slippageTicks: exactInteger(0, TICKS_MAX).optional(),
      liquidity: z.enum(['share', 'unlimited']).optional(),
      share: positive.refine((text) => Number(text) <= 1, { error: 'must be at most 1' }).optional(),
      highLow: z.enum(['likely', 'high_first', 'low_first', 'both']).optional().meta({
        description:
          'Paths inside bars: drawn from all that fit (`likely`), from those that reach one extreme first, or all three, of which the lowest end is shown (`both`).',
      }),
    })
    .optional()
    .meta({ description: 'How orders are filled.' }),
  fees: z.enum(['schedule', 'none']).optional().meta({ description: 'The venue’s schedule, or none.' }),
  risk: z
    .strictObject({
      rules: z.union([z.literal('account'), Rules]).optional(),
      approvals: z
        .strictObject({
          policy: z.enum(['auto', 'never']).optional(),
          delaySec: exactInteger(0, DELAY_SEC_MAX).optional(),
        })
        .optional(),
    })
    .optional()
    .meta({ description: 'The rules, and the approvals.' }),
  checks: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it is checked for look-ahead; true by default.' }),
  sensitivity: z.boolean().optional().meta({
    description:
      'Whether it is run again with each assumption changed alone, which takes up to seven times as long; false by default.',
  }),
});

/** The request, with `null` for omitted values. */
export function backtestInputOf(input: z.output<typeof RequestInput>): BacktestParams {
  const { blueprintId = null, release = null, visual, risk, ...rest } = input;
  const { rules = 'account', approvals = {} } = risk ?? {};
  return { ...rest, blueprintId, release, visual, risk: { rules, approvals } };
}
