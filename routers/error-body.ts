import { z } from 'zod';
import { ERROR_CODES } from '../engine/platform/error-table.ts';

/** The one error shape of the REST facade, as the document shows it. */
export const ErrorBody = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'What is wrong, with which value, and what to do.' }),
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
      .meta({ description: 'Why the request was refused.' }),
    message: z.string().meta({ description: 'The same text again: a client may read either.' }),
  })
  .meta({ id: 'Error', description: 'Why the request was refused.' });
