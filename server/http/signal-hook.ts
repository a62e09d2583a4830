import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { systemDb } from '../../db/pool.ts';
import { openWork } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { readAlert } from '../../engine/usecases/signals/message.ts';
import { receiveSignal } from '../../engine/usecases/signals/receive.ts';
import { findByToken, type TokenHolder } from '../../engine/usecases/signals/signals.ts';
import { OPEN_BODY_BYTES_MAX } from '../../openapi/body.ts';
import type { Services } from '../../routers/context.ts';
import { toDomainError } from '../../routers/errors.ts';
import type { Admission } from '../http-kit/admission.ts';
import type { AnonymousRequests } from '../http-kit/anonymous-requests.ts';
import type { ServiceLimits } from '../http-kit/call-rate-limiter.ts';
import { readText } from '../http-kit/read-text.ts';
import { contextOf } from '../http-kit/requests.ts';
import { sendError } from './uncaught-error-handler.ts';

export type SignalHookOptions = {
  readonly services: Pick<Services, 'pool' | 'requests' | 'clock'>;
  readonly limits: ServiceLimits;
  readonly anonymous: AnonymousRequests;
  readonly admission: Admission;
  /** Counts and logs refusals. */
  readonly onError: (request: IncomingMessage, error: DomainError) => void;
};

/**
 * Takes a value for a signal from a sender that sets no headers: the token in the query names the signal and permits the call.
 * The body is text or JSON of any form. The access log has no queries.
 */
export function signalHook({
  services,
  limits,
  anonymous,
  admission,
  onError,
}: SignalHookOptions): RequestHandler {
  return async (request, response) => {
    const { requestId, originalUrl, whenOver } = contextOf(request);
    try {
      const findHolder = async () => {
        const found = await findByToken(systemDb(services.pool), tokenIn(originalUrl));
        return found ?? (await refuse(request, { limits, anonymous }));
      };
      const holder = await findHolder();
      const isLate = !request.complete;
      // All users of a chart service share its addresses: a known token has a count of its own.
      const { refusal } = await limits.consume(
        { ...holder, id: `signal:${holder.accountId}:${holder.name}` },
        'write',
      );
      if (refusal) throw refusal;
      await admission.ofRequest({ request, response }, whenOver).enter(holder.accountId);
      const message = readAlert(await readText(request, OPEN_BODY_BYTES_MAX), idempotencyKeyOf(request));
      // The token may have been rotated while the body arrived.
      if (isLate) await findHolder();
      if (message === null) throw new DomainError('validation_failed', UNREADABLE);
      const { value, at, isDuplicate } = await receiveSignal(
        workOf(services, holder, requestId),
        holder.name,
        message,
      );
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ received: true, duplicate: isDuplicate, value, at: at.toISOString() }));
    } catch (thrown) {
      const error = toDomainError(thrown);
      onError(request, error);
      sendError(request, response, error);
    }
  };
}

const UNREADABLE =
  'The body must be words, a number, true, false, on, off, yes, no or a JSON object. Its `value` must be a number of at most 10^15, true or false; its `id` has at most 200 characters.';

const tokenIn = (target: string): string =>
  new URL(target, 'http://localhost').searchParams.get('token') ?? '';

async function refuse(
  request: IncomingMessage,
  { limits, anonymous }: Pick<SignalHookOptions, 'limits' | 'anonymous'>,
): Promise<never> {
  const tooMany = await anonymous.count(request);
  if (tooMany !== null) throw tooMany;
  await limits.consumeAuthFailure(contextOf(request).address);
  throw new DomainError(
    'credentials_invalid',
    'This token is of no signal. Copy the address again, or rotate the token.',
  );
}

const workOf = (
  { requests, clock }: SignalHookOptions['services'],
  { accountId, mode, name }: TokenHolder,
  requestId: string,
) => openWork(requests, { accountId, mode, actor: `signal:${name}`, requestId, clock });

function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | null {
  return headersDistinct['idempotency-key']?.join(' ') || null;
}
