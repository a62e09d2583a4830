import { z } from 'zod';
import { ERROR_CODES } from '../engine/platform/error-table.ts';

/** The one error shape of the REST facade, as documented. */
export const ErrorBody = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'The problem, the value, the limit and the remedy.' }),
        code: z.enum(ERROR_CODES).meta({ description: 'Stable; for programs.' }),
        issues: z
          .array(
            z.object({
              path: z.string().meta({ description: 'JSON Pointer into the request.' }),
              code: z.string(),
              message: z.string(),
            }),
          )
          .optional(),
        requestId: z.string().meta({ description: 'Also in `X-Request-Id`; quote it when asking for help.' }),
      })
      .meta({ description: 'The reason for the refusal.' }),
    message: z.string().meta({ description: 'The same text again: a client may read either.' }),
  })
  .meta({ id: 'Error', description: 'Why the request was refused.' });
