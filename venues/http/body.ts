/** Reads a response without trusting it: bounded bytes, bounded depth, then JSON. */

/** The largest answer that a connector accepts. */
export const BODY_MAX_BYTES = 5 * 1024 * 1024;
/** Venue records nest six levels; a deeper body is refused. */
const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The JSON value of a response body. Throws a RangeError if it is too large or too deep, an Error if it is no JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const bytes = await readBounded(response);
  if (depthOf(bytes) > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('not JSON');
  }
}

async function readBounded(response: Response): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length') ?? 0) > BODY_MAX_BYTES) {
    await response.body?.cancel();
    throw new RangeError(`larger than ${BODY_MAX_BYTES} bytes`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw new RangeError(`larger than ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}

/** The nesting depth of arrays and objects, strings skipped; computed without allocation. */
function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return deepest;
}
