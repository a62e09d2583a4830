import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../engine/platform/errors.ts';
import { isTooLarge, readBytes } from '../../openapi/body.ts';

/**
 * Reads a body as text, whatever type it claims to have.
 *
 * @throws DomainError `payload_too_large`; `unsupported_media_type` for an encoded body; `malformed_json` for one that is not
 *   UTF-8.
 */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity')
    throw new DomainError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(request, limit));
  } catch (error) {
    if (error instanceof TypeError) throw new DomainError('malformed_json', 'The body is not UTF-8.');
    if (!isTooLarge(error)) throw error;
    throw new DomainError('payload_too_large', `The body may have ${limit} bytes at most. Send less.`);
  }
}
