import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { DomainError } from '../../engine/platform/errors.ts';

/**
 * Reads a body as text, whatever type it claims to have.
 *
 * @throws DomainError `payload_too_large`; `unsupported_media_type` for an encoded body; `malformed_json` for one that is not
 *   UTF-8.
 */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const { 'content-length': length = null, 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity')
    throw new DomainError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  try {
    const bytes = await getRawBody(request, { limit, length });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new DomainError('malformed_json', 'The body is not UTF-8.');
    if ((error as { type?: string }).type !== 'entity.too.large') throw error;
    throw new DomainError('payload_too_large', `The body may have ${limit} bytes at most. Send less.`);
  }
}
