import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** A text that is the same for everybody: its bytes are kept once, plain and compressed, and shared by all readers. */
export function fixedText(type: string, text: string): RequestHandler {
  const plain = Buffer.from(text);
  const compressed = gzipSync(plain);
  return (request, response) => {
    response.type(type).vary('Accept-Encoding');
    if (!(request.headers['accept-encoding'] ?? '').includes('gzip')) return void response.send(plain);
    response.setHeader('Content-Encoding', 'gzip');
    response.send(compressed);
  };
}
