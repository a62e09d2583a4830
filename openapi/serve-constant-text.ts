import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/**
 * Serves one text that is the same for every reader. Its bytes, plain and gzipped, are made for the first reader and cached.
 */
export function serveConstantText(type: string, makeText: () => string): RequestHandler {
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
