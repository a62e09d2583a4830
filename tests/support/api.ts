/** Checks that every test of the HTTP surface makes on a response, whatever the endpoint. */

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import type { RestRoute } from '../../openapi/routes.ts';
import { EXAMPLE } from '../../routers/examples.ts';
import { type Answer, ORIGIN, parsed, type World } from './world.ts';

export type Issue = { path: string; code: string; message: string };
export type Refusal = { code: string; message: string; issues: Issue[]; requestId: string };

type ErrorBody = { error: Refusal; message: string };

const ERROR_KEYS = ['code', 'issues', 'message', 'requestId'];

/** Asserts the one error shape of the service, with this status and code, and returns its message. */
export function expectRefusal(answer: Answer, status: number, code?: string): Refusal {
  expect(answer, wordsOf(answer)).toMatchObject({ status });
  expect(answer.headers.get('content-type')).toBe('application/json');
  const body = answer.body as ErrorBody;
  expect(Object.keys(body).sort()).toEqual(['error', 'message']);
  expect(ERROR_KEYS).toEqual(expect.arrayContaining(Object.keys(body.error)));
  expect(body.error).toMatchObject({ message: expect.stringMatching(/\S/), code: expect.any(String) });
  expect(body.message).toBe(body.error.message);
  expect(body.error.requestId).toBe(answer.headers.get('x-request-id'));
  if (status === 401 || status === 403) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  if (status === 429 || status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  if (code !== undefined) expect(body.error, answer.text).toMatchObject({ code });
  return { ...body.error, issues: body.error.issues ?? [] };
}

/** Asserts a file of this media type and returns its text. */
export function expectFile(answer: Answer, media: string): string {
  expect(answer.status, wordsOf(answer)).toBe(200);
  const isBinary = media === 'application/vnd.apache.parquet';
  expect(answer.headers.get('content-type')).toBe(isBinary ? media : `${media}; charset=utf-8`);
  return answer.text;
}

const wordsOf = ({ text, logged = '' }: Answer): string => `${text.slice(0, 500)} ${logged}`;

/** Asserts success and returns the body. */
export function expectOk(answer: Answer): unknown {
  expect(answer.status, wordsOf(answer)).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return answer.body;
}

/** The body as text with the request id taken out: what must not differ between two refusals. */
export const withoutRequestId = ({ text, headers }: Answer): string =>
  text.replaceAll(headers.get('x-request-id') ?? '', '');

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A path with its parameters filled in: `id` as given, any other with 1. */
export const pathOf = (route: Pick<RestRoute, 'path'>, id: string): string =>
  route.path
    .replace('{id}', id)
    .replaceAll(/\{\w+Id\}/g, EXAMPLE.differenceId)
    .replaceAll(/\{\w+\}/g, '1');

export const titleOf = ({ method, path }: Pick<RestRoute, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the example body of a route that takes one. */
export const exampleBody = ({ takesBody, meta }: RestRoute): { body?: unknown } =>
  takesBody && meta.example?.request !== undefined ? { body: meta.example.request } : {};

/** Credentials of one person for every route: a session where only a session is allowed, a key elsewhere. */
export type Credentials = { key: string; cookie: string };

export function credentialHeaders(
  { open, meta }: RestRoute,
  { key, cookie }: Credentials,
): Record<string, string> {
  if (open) return {};
  return meta.access?.kind === 'session' ? { cookie, origin: ORIGIN } : bearer(key);
}

export type JsonSchema = {
  type?: string | string[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** Returns the fields that a request may have in addition to its path parameters, each as JSON Schema. */
export function fieldsOf({ input, pathParameters }: RestRoute): [string, JsonSchema][] {
  if (input === null) return [];
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return Object.entries(properties).filter(([name]) => !pathParameters.includes(name));
}

/** Whether a field can hold a value of this type. */
export const takes = ({ type, anyOf = [] }: JsonSchema, wanted: string): boolean =>
  [type].flat().includes(wanted) || anyOf.some((each) => takes(each, wanted));

/** A JSON object with one field given as raw text, so that it may hold what `JSON.stringify` would not write. */
export function withRawField(body: unknown, field: string, raw: string): string {
  const { [field]: _replaced, ...rest } = body as Record<string, unknown>;
  const others = Object.entries(rest).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...others, `${JSON.stringify(field)}:${raw}`].join(',')}}`;
}

export type RawRequest = {
  method: string;
  path: string;
  /** Name, value, name, value: names may repeat. */
  headers?: string[];
  body?: string | Uint8Array;
  /** The source address: every one of 127.0.0.0/8 is this machine. */
  localAddress?: string;
};

/** A request that `fetch` would not send: repeated headers, a body on GET, a chunked empty one. */
export function sendRaw(
  base: string,
  { method, path, headers = [], body, localAddress }: RawRequest,
): Promise<Answer> {
  const { host, hostname, port } = new URL(base);
  const saysLength = body !== undefined && !headers.includes('Transfer-Encoding');
  const length = saysLength ? ['Content-Length', String(Buffer.byteLength(body))] : [];
  return new Promise((resolve, reject) => {
    const all = ['Host', host, ...length, ...headers];
    const request = httpRequest({
      hostname,
      port,
      method,
      path,
      headers: all,
      ...(localAddress !== undefined && { localAddress }),
    });
    request.once('error', reject);
    request.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const answered = new Headers();
      for (const [name, values = []] of Object.entries(response.headersDistinct)) {
        for (const value of values) answered.append(name, value);
      }
      resolve({ status: response.statusCode ?? 0, headers: answered, text, body: parsed(text) });
    });
    request.end(body);
  });
}

/** Sends bytes as they are and returns all that the server sends until it closes. */
export function sendBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

/** Waits until the service has looked up the credentials of requests that have begun: a later one is answered, and no connection is in use. */
export async function credentialsLookedUp({
  base,
  pool: { native },
}: Pick<World, 'base' | 'pool'>): Promise<void> {
  await fetch(`${base}/health`);
  await vi.waitFor(() => expect(native.idleCount).toBe(native.totalCount));
}

/** Digests all that is stored, one digest per table: equal before and after means that nothing was written, except heartbeats. */
export async function storedState({ db }: Pick<World, 'db'>): Promise<Record<string, string>> {
  const statement = digestStatements.get(db) ?? (await digestStatement(db));
  digestStatements.set(db, statement);
  const { rows } = await sql.raw<{ name: string; digest: string }>(statement).execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Expects that the tests of this `describe` store nothing, and that none changes the process. */
export function expectNothingStored(world: Pick<World, 'db'>): void {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await storedState(world);
  });
  afterAll(async () => {
    expect(await storedState(world)).toEqual(before);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
}

/** Caches the long statement of each database: its tables stay the same. */
const digestStatements = new WeakMap<World['db'], string>();

async function digestStatement(db: World['db']): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'process'
  `.execute(db);
  const row = `(to_jsonb(t) - 'last_used_at')::text`;
  return tables
    .map(
      ({ name }) => `select '${name}' as name,
        count(*) || ' ' || coalesce(md5(string_agg(${row}, '|' order by ${row})), '') as digest from "${name}" t`,
    )
    .join(' union all ');
}
