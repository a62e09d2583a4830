import { z } from 'zod';

/** Headers that a call may have. Credentials are those of the handshake. */
const CALL_HEADERS = ['Idempotency-Key', 'If-Match', 'X-Request-Id'] as const;
/** Headers that its answer may have. */
export const ANSWER_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
] as const;

/** A request sent as a message. */
export const Call = z.strictObject({
  call: z.string().min(1).max(64).meta({ description: 'Returned with the answer.' }),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .max(2_048)
    .regex(/^\/api\/[\x21-\x7e]*$/)
    .meta({ description: 'Path and query of an operation, such as `/api/orders?limit=1`.' }),
  headers: z
    .partialRecord(z.enum(CALL_HEADERS), z.string().regex(/^[\x20-\x7e]{0,200}$/))
    .optional()
    .meta({ description: 'Named exactly so. `Idempotency-Key` makes a call safe to repeat.' }),
  body: z.unknown().optional().meta({ description: 'The body of the operation.' }),
});
export type Call = z.infer<typeof Call>;

/** The answer to a call. */
export const Answer = z.strictObject({
  call: z.string().nullable().meta({ description: 'That of the call; null if it could not be read.' }),
  status: z.int().meta({ description: 'The HTTP status.' }),
  headers: z.partialRecord(z.enum(ANSWER_HEADERS), z.string()),
  body: z.unknown().meta({ description: 'As the operation answers over HTTP; null if it is empty.' }),
});
export type Answer = z.infer<typeof Answer>;
