import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERROR_CODES } from '../../engine/platform/error-table.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { pointer, statusOf, toDomainError, validationFailed } from '../../routers/errors.ts';
import { VenueError } from '../../venues/port.ts';

const withCode = (code: string) => Object.assign(new Error('select secret from account'), { code });

const notAsItSays = z.strictObject({ amount: z.number() }).safeParse({ amount: null }).error;

describe('every thrown error becomes a refusal with our message', () => {
  test.each([
    ['a database that refuses connections', withCode('ECONNREFUSED'), 'database_unavailable', 503],
    ['a connection that broke', withCode('08006'), 'database_unavailable', 503],
    ['a server that shuts down', withCode('57P01'), 'database_unavailable', 503],
    ['a disk that is full', withCode('53100'), 'database_unavailable', 503],
    ['too many connections', withCode('53300'), 'database_unavailable', 503],
    [
      'a pool that is exhausted',
      new Error('timeout exceeded when trying to connect'),
      'database_unavailable',
      503,
    ],
    ['a client that waited too long', new Error('timeout expired'), 'database_unavailable', 503],
    ['a connection that ended', new Error('Connection terminated unexpectedly'), 'database_unavailable', 503],
    [
      'a connection that broke before it was asked',
      new Error('Client has encountered a connection error and is not queryable'),
      'database_unavailable',
      503,
    ],
    [
      'a connection that ended on its own',
      new Error('Connection ended unexpectedly'),
      'database_unavailable',
      503,
    ],
    ['a server that only reads, after a fail-over', withCode('25006'), 'database_unavailable', 503],
    ['a disk that fails', withCode('58030'), 'database_unavailable', 503],
    ['a host that cannot be reached', withCode('EHOSTUNREACH'), 'database_unavailable', 503],
    ['a network that cannot be reached', withCode('ENETUNREACH'), 'database_unavailable', 503],
    ['a name that does not resolve', withCode('EAI_AGAIN'), 'database_unavailable', 503],
    ['a name that is gone', withCode('ENOTFOUND'), 'database_unavailable', 503],
    ['no file left to open', withCode('EMFILE'), 'database_unavailable', 503],
    [
      'a pool that is closed',
      new Error('Cannot use a pool after calling end on the pool'),
      'database_unavailable',
      503,
    ],
    ['a statement that took too long', withCode('57014'), 'overloaded', 503],
    ['a lock that is not let go', withCode('55P03'), 'overloaded', 503],
    ['a lost race', withCode('40P01'), 'overloaded', 503],
    ['a broken statement', withCode('42601'), 'internal', 500],
    ['a value too large for its column', withCode('22003'), 'internal', 500],
    ['a fault in the code', new TypeError('x is undefined'), 'internal', 500],
    ['no error at all', 'text', 'internal', 500],
    ['nothing', undefined, 'internal', 500],
    ['an answer of ours that is not as it says', notAsItSays, 'internal', 500],
    [
      'the same, as tRPC tells it',
      new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: notAsItSays }),
      'internal',
      500,
    ],
    [
      'a request that is not as it says',
      new TRPCError({ code: 'BAD_REQUEST', cause: notAsItSays }),
      'validation_failed',
      400,
    ],
    ['a venue in trouble', VenueError.unavailable('the venue is slow'), 'upstream_unavailable', 503],
    ['a thing no venue knows', VenueError.notFound('no such market'), 'not_found', 404],
    ['a method tRPC does not take', new TRPCError({ code: 'METHOD_NOT_SUPPORTED' }), 'route_not_found', 404],
    ['a procedure tRPC does not have', new TRPCError({ code: 'NOT_FOUND' }), 'route_not_found', 404],
    ['a body tRPC cannot read', new TRPCError({ code: 'PARSE_ERROR' }), 'malformed_json', 400],
  ])('%s', (_what, thrown, code, status) => {
    const refusal = toDomainError(thrown);
    expect(refusal.code).toBe(code);
    expect(statusOf(refusal)).toBe(status);
    expect(refusal.message).not.toMatch(/select|secret|undefined|ECONN/);
    if (status === 503) expect(refusal.retryAfterSec).toBeGreaterThanOrEqual(1);
  });

  test('a refusal stays itself, however deep tRPC has wrapped it', () => {
    const refusal = new DomainError('quota_exceeded', 'Too many.');
    expect(toDomainError(refusal)).toBe(refusal);
    const wrapped = new TRPCError({ code: 'FORBIDDEN', cause: refusal });
    expect(toDomainError(wrapped)).toBe(refusal);
    const lost = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: withCode('57P01') });
    expect(toDomainError(lost).code).toBe('database_unavailable');
  });

  test('every code has a status of the contract, or one that a header requires', () => {
    const statuses = new Set(ERROR_CODES.map((code) => statusOf(new DomainError(code, 'x'))));
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 409, 412, 422, 429, 500, 503]);
  });
});

describe('what is wrong with a request', () => {
  const Shape = z.strictObject({
    a: z.object({ 'b/c~d': z.number() }),
    list: z.array(z.string()).optional(),
  });

  test('every issue has a JSON Pointer to its place, and the first is in the message', () => {
    const parsed = Shape.safeParse({ a: { 'b/c~d': 'x' }, list: ['ok', 5], nope: 1 });
    if (parsed.success) throw new Error('This should not have passed.');
    const { code, message, issues } = validationFailed(parsed.error);
    expect(code).toBe('validation_failed');
    expect(issues?.map(({ path }) => path).sort()).toEqual(['/a/b~1c~0d', '/list/1', '/nope']);
    expect(message).toMatch(/^Request validation failed at \/a\/b~1c~0d: /);
  });

  test('a hundred issues are enough', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const parsed = z.strictObject({}).safeParse(many);
    if (parsed.success) throw new Error('This should not have passed.');
    expect(validationFailed(parsed.error).issues).toHaveLength(100);
  });

  test('a pointer escapes its parts, and cuts what is too long', () => {
    expect(pointer(['a', 0, 'x/y', '~'])).toBe('/a/0/x~1y/~0');
    expect(pointer(['k'.repeat(1_000)]).length).toBeLessThan(130);
  });
});
