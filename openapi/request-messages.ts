import { z } from 'zod';

/** Headers of a request by message. Credentials are those of the handshake. */
const REQUEST_HEADERS = ['Idempotency-Key', 'If-Match', 'X-Request-Id'] as const;
/** Headers of an answer that a caller may need. */
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
export const RequestMessage = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Returned with the answer.' }),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .max(2_048)
    .regex(/^\/api\/[\x21-\x7e]*$/, 'must be the path and query of an operation, such as /api/orders?limit=1')
    .meta({ description: 'Path and query of an operation, such as `/api/orders?limit=1`.' }),
  headers: z
    .partialRecord(z.enum(REQUEST_HEADERS), z.string().regex(/^[\x20-\x7e]{0,257}$/))
    .optional()
    .meta({ description: 'Named exactly so. `Idempotency-Key` makes a request safe to repeat.' }),
  body: z.unknown().optional().meta({ description: 'The body of the operation.' }),
});
export type RequestMessage = z.infer<typeof RequestMessage>;

/** The data of the message that answers it. */
export const Answer = z.strictObject({
  id: z.string().meta({ description: 'That of the request.' }),
  status: z.int().meta({ description: 'The HTTP status.' }),
  headers: z.partialRecord(z.enum(ANSWER_HEADERS), z.string()),
  body: z.unknown().meta({ description: 'As the operation answers over HTTP; null if it is empty.' }),
});
