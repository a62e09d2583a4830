import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { DomainError, type FieldIssue, invalid } from '../engine/platform/errors.ts';
import type { Context } from '../routers/context.ts';
import { ISSUES_MAX, invalidRequest, pointer } from '../routers/errors.ts';
import { DIGITS_MAX } from '../routers/schemas.ts';

/** The largest drawing, and room for the rest of a request. */
export const BODY_BYTES_MAX = 280 * 1024;
/** The largest body of a caller without credentials: forms and sign-ins are small. */
export const OPEN_BODY_BYTES_MAX = 16 * 1024;
/** The deepest drawing, and the envelopes around it. Checked before parsing, which recurses. */
const BODY_DEPTH_MAX = 72;

export type Body = { text: string; value: unknown; problem: DomainError | null };

const EMPTY: Body = { text: '', value: undefined, problem: null };

/**
 * Reads a request's JSON body: UTF-8, bounded in bytes and depth, no number changed on the way in. Never throws:
 * what is wrong is returned, to be told only to a caller who may know.
 */
export async function readBody(request: IncomingMessage, bytesMax = BODY_BYTES_MAX): Promise<Body> {
  if (!hasBody(request)) return EMPTY;
  try {
    const bytes = await readBytes(request, bytesMax);
    if (bytes.length === 0) return EMPTY;
    refuseOtherMedia(request);
    const text = decodeUtf8(bytes);
    refuseTooDeep(text);
    return { text, ...parse(text) };
  } catch (error) {
    return { text: '', value: undefined, problem: problemOf(error, bytesMax) };
  }
}

/**
 * Reads the bytes of a body. What is left of one that is too large is thrown away: the connection would wait for it, and its
 * next request with it.
 *
 * @throws Error for which {@link isTooLarge} holds
 */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  try {
    return await getRawBody(request, {
      limit: bytesMax,
      length: request.headers['content-length'] ?? null,
    });
  } catch (error) {
    request.resume();
    throw error;
  }
}

/**
 * Reads the body of a call. Credentials are checked before it: where it arrived later, they are checked again, because a key may
 * have been revoked meanwhile. A key that is yet to be confirmed is checked later anyway.
 */
export async function readCallBody(
  request: IncomingMessage,
  { principal, confirm, identifyAgain }: Pick<Context, 'principal' | 'confirm' | 'identifyAgain'>,
  bytesMax = principal ? BODY_BYTES_MAX : OPEN_BODY_BYTES_MAX,
): Promise<Body> {
  const isLate = !request.complete;
  const body = await readBody(request, bytesMax);
  if (isLate && principal && confirm === null) await identifyAgain();
  return body;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

const JSON_MEDIA = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

function refuseOtherMedia({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined || !JSON_MEDIA.test(type.trim())) {
    throw new DomainError(
      'unsupported_media_type',
      `Send JSON as "Content-Type: application/json"${type === undefined ? '' : `, not ${type.slice(0, 60)}`}.`,
    );
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  }
}

/** Keeps a byte order mark, which JSON does not allow, in sight. */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  return bytes.toString();
}

function refuseTooDeep(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > BODY_DEPTH_MAX) throw tooDeep();
  }
}

const tooDeep = () =>
  invalid(
    [{ path: '', code: 'too_deep', message: `is nested deeper than ${BODY_DEPTH_MAX} levels` }],
    ': the body is nested too deeply.',
  );

type Parsed = { value: unknown; problem: DomainError | null };

/** A number that could lose digits: long, or with an exponent. Only then is the slower, exact look worth it. */
const COULD_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d/;

function parse(text: string): Parsed {
  const inexact: Inexact[] = [];
  const value = parseJson(text, COULD_LOSE_DIGITS.test(text) ? inexact : null);
  if (inexact.length === 0) return { value, problem: null };
  const counted = holdersOf(value);
  const refused = inexact.filter(({ holder, key }) => key !== 'visual' && counted.has(holder));
  return { value, problem: refused.length > 0 ? inexactNumbers(refused) : null };
}

type Inexact = { holder: unknown; key: string; source: string };

function parseJson(text: string, inexact: Inexact[] | null): unknown {
  try {
    if (inexact === null) return JSON.parse(text);
    return JSON.parse(text, function collect(this: unknown, key, value, context?: { source?: string }) {
      const source = context?.source;
      if (typeof value === 'number' && source !== undefined && losesDigits(source, value)) {
        inexact.push({ holder: this, key, source });
      }
      return value;
    });
  } catch (error) {
    throw malformed(error instanceof SyntaxError ? positionOf(error) : 'it cannot be read');
  }
}

function losesDigits(source: string, value: number): boolean {
  const [mantissa = ''] = source.split(/[eE]/, 1);
  const digits = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  return digits.length > DIGITS_MAX || (value === 0 && digits !== '') || !Number.isFinite(value);
}

/**
 * What holds numbers that are money and limits, taken as sent or not at all: the request itself, and each call of a
 * tRPC batch, which numbers them: `{"0": …, "1": …}`. Numbers inside a drawing are the graph's own doubles.
 */
function holdersOf(body: unknown): Set<unknown> {
  const holders = new Set([body]);
  if (typeof body !== 'object' || body === null) return holders;
  for (const [key, call] of Object.entries(body)) if (/^\d+$/.test(key)) holders.add(call);
  return holders;
}

const inexactNumbers = (refused: readonly Inexact[]) =>
  invalidRequest(refused.slice(0, ISSUES_MAX).map(issueOf));

const issueOf = ({ key, source }: Inexact): FieldIssue => ({
  path: pointer([key]),
  code: 'too_precise',
  message: `${source.slice(0, 40)} has more than ${DIGITS_MAX} significant digits, or is out of range`,
});

const malformed = (what: string) => new DomainError('malformed_json', `The body is not valid JSON: ${what}.`);

/** V8 quotes the input in its message; only the position is ours to repeat. */
function positionOf(error: SyntaxError): string {
  const position = /position (\d+)/.exec(error.message)?.[1];
  return position === undefined
    ? 'it ends too early or holds what JSON does not allow'
    : `see position ${position}`;
}

function problemOf(error: unknown, bytesMax: number): DomainError {
  if (error instanceof DomainError) return error;
  if (isTooLarge(error)) {
    return new DomainError('payload_too_large', `The body is larger than ${bytesMax} bytes.`);
  }
  return malformed('it broke off');
}

/** Whether a body had more bytes than it may have. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large';
