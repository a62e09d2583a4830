import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** A text that is the same for everybody, compressed once instead of for every reader. */
export function fixedText(type: string, text: string): RequestHandler {
  const compressed = gzipSync(text);
  return (request, response) => {
    response.type(type).vary('Accept-Encoding');
    if (!(request.headers['accept-encoding'] ?? '').includes('gzip')) return void response.send(text);
    response.setHeader('Content-Encoding', 'gzip');
    response.send(compressed);
  };
}
