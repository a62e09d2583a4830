import { z } from 'zod';

const Issue = z.object({
  nodeId: z.string().nullable(),
  path: z.string().meta({ description: 'JSON Pointer into `visual`.' }),
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});

/** The answer of a check. */
export const Validation = z.object({ valid: z.boolean(), issues: z.array(Issue) });

export const INVALID: z.input<typeof Validation> = {
  valid: false,
  issues: [
    {
      nodeId: 'buy',
      path: '/nodes/3/data/config/amount',
      code: 'config_invalid',
      severity: 'error',
      message: 'The amount must be above 0.',
    },
  ],
};
