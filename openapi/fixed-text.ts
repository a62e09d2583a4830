import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/**
 * A text that is the same for everybody. Its bytes, plain and compressed, are made for the first reader and kept for all.
 */
export function fixedText(type: string, makeText: () => string): RequestHandler {
  let plain: Buffer | undefined;
  let compressed: Buffer | undefined;
  return (request, response) => {
    plain ??= Buffer.from(makeText());
    response.type(type).vary('Accept-Encoding');
    if (!(request.headers['accept-encoding'] ?? '').includes('gzip')) return void response.send(plain);
    compressed ??= gzipSync(plain);
    response.setHeader('Content-Encoding', 'gzip');
    response.send(compressed);
  };
}
