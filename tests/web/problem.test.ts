import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { isRefusal } from '../../web/src/api/problem.ts';

const answered = (httpStatus: number, code: string) =>
  TRPCClientError.from({
    error: {
      message: code,
      code: -32_000,
      data: { httpStatus, error: { code, message: code, requestId: '' } },
    },
  });

test('a request may have been done, or be under way, without an answer, after an error and while its first try runs', () => {
  for (const error of [
    new TypeError('fetch failed'),
    TRPCClientError.from(new TypeError('fetch failed')),
    answered(500, 'internal_error'),
    answered(503, 'overloaded'),
    answered(409, 'idempotency_key_in_use'),
  ])
    expect(isRefusal(error)).toBe(false);
});

test('any other answer is a refusal: the next entry is a new request', () => {
  for (const error of [
    answered(400, 'validation_failed'),
    answered(409, 'invalid_state'),
    answered(422, 'idempotency_key_reused'),
    answered(429, 'rate_limited'),
  ])
    expect(isRefusal(error)).toBe(true);
});
