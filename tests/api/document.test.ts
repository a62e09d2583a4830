import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildAsyncDocument } from '../../openapi/async-document.ts';
import { buildDocument } from '../../openapi/document.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { KIND_NAMES } from '../../routers/events/event-kinds.ts';
import { VALUE_TYPES } from '../../routers/events/value-payloads.ts';
import { scopesOf, scopesTogether } from '../../routers/principal.ts';
import { readDescription } from '../../server/http/descriptions.ts';
import { titleOf } from '../support/api.ts';
import {
  type DescribedOperation,
  type Document,
  jsonOf,
  mediaOf,
  operationsOf,
  type Parameter,
  readerOf,
  responseOf,
  type Schema,
} from '../support/document.ts';

const committed = readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as Document;
const operations = operationsOf(document);
const titled = operations.map((described) => [described.title, described] as const);
const routes = restRoutes.map((route) => [titleOf(route), route] as const);

const operationOf = (title: string): DescribedOperation['operation'] => {
  const found = operations.find((described) => described.title === title);
  if (!found) throw new Error(`${title} is not described.`);
  return found.operation;
};

const parametersOf = ({ operation }: DescribedOperation, place: Parameter['in']): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

describe("the API's description", () => {
  test('the committed openapi.json equals the one that the code generates', () => {
    expect(`${JSON.stringify(buildDocument(), null, 2)}\n`).toBe(committed);
  });

  test('the committed asyncapi.json equals the one that the code generates, and names each event and message', () => {
    const text = readDescription('asyncapi');
    expect(text).toBe(`${JSON.stringify(buildAsyncDocument(), null, 2)}\n`);
    const { channels } = JSON.parse(text) as {
      channels: Record<string, { address: string; messages: object }>;
    };
    const messages = Object.values(channels).map((each) => [each.address, Object.keys(each.messages)]);
    expect(Object.fromEntries(messages)).toEqual({
      '/api/events': [...KIND_NAMES, 'resync', 'end', 'answer', 'request'],
      '/api/stream': [...VALUE_TYPES, 'end', 'answer', 'request'],
    });
  });

  test('it is OpenAPI 3.1 and has version 1.0', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('1.0');
  });

  test('the API key is a bearer token', () => {
    expect(document.components.securitySchemes['Authorization']).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
  });

  test('operation ids are unique', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every schema that it refers to exists, and none is unused', () => {
    const refs = new Set(committed.match(/#\/components\/[a-zA-Z]+\/[^"]+/g));
    const known = ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(document.components[kind as 'schemas' | 'responses']).map(
        (name) => `#/components/${kind}/${name}`,
      ),
    );
    expect([...refs].sort()).toEqual(known.sort());
  });
});

describe('every operation', () => {
  test.each(titled)('%s has a description in words', (_title, { operation }) => {
    expect(operation.tags).toHaveLength(1);
    expect(operation.summary).toMatch(/^[A-Z].{2,60}$/);
    expect(operation.description.length).toBeGreaterThan(operation.summary.length);
  });

  test.each(routes)('%s names the scope it requires', (title, { meta }) => {
    const { security } = operationOf(title);
    const { access } = meta;
    if (access?.kind === 'open') return expect(security).toEqual([]);
    const scopes = access ? scopesOf(access) : [];
    const also = access ? scopesTogether(access).slice(1) : [];
    const keys = scopes.map((scope) => ({ Authorization: [scope, ...also] }));
    expect(security).toEqual([...keys, { Session: [] }]);
  });

  test.each(routes)('%s lists exactly the statuses it can return', (title, route) => {
    const statuses = Object.keys(operationOf(title).responses).map(Number);
    const always = [200, 400, 429, 500, 503];
    const guarded = route.open ? [] : [401, 403];
    for (const status of [...always, ...guarded]) expect(statuses).toContain(status);
    expect(statuses.includes(404) || !route.path.includes('{')).toBe(true);
    const optedIn = (name: string) =>
      operationOf(title).parameters?.some((parameter) => parameter.name === name);
    for (const status of [409, 422])
      expect(statuses.includes(status)).toBe(optedIn('Idempotency-Key') ?? false);
    expect(statuses.includes(412)).toBe(optedIn('If-Match') ?? false);
    const known = [200, 400, 401, 403, 404, 409, 412, 422, 429, 500, 503];
    expect(statuses.filter((status) => !known.includes(status))).toEqual([]);
  });

  test.each(titled)('%s returns every refusal in the one error shape', (_title, { operation }) => {
    for (const status of Object.keys(operation.responses)
      .map(Number)
      .filter((each) => each >= 400)) {
      const response = responseOf(document, operation, status);
      const media = response && jsonOf(response);
      expect(media?.schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(readerOf(document, media?.schema ?? {}).safeParse(media?.example).error).toBeUndefined();
      expect(response?.headers).toHaveProperty('X-Request-Id');
    }
  });

  test.each(routes)('the examples of %s fit its schemas', (title, route) => {
    const operation = operationOf(title);
    const media = mediaOf(operation.responses['200'] ?? {})?.media;
    expect(media?.example).toBeDefined();
    expect(route.output.safeParse(media?.example).error).toBeUndefined();
    expect(readerOf(document, media?.schema ?? {}).safeParse(media?.example).error).toBeUndefined();
    const body = operation.requestBody && jsonOf(operation.requestBody);
    if (body) expect(readerOf(document, body.schema).safeParse(body.example).error).toBeUndefined();
    expect(route.input?.safeParse(exampleInput(operation, body?.example)).error).toBeUndefined();
  });

  test.each(titled)('%s describes every parameter, with its bounds', (_title, described) => {
    for (const parameter of [...parametersOf(described, 'query'), ...parametersOf(described, 'path')]) {
      expect({ parameter, bounded: isBounded(parameter.schema) }).toMatchObject({ bounded: true });
      expect({ parameter, helped: isHelped(parameter) }).toMatchObject({ helped: true });
      expect(parameter.required ?? false).toBe(parameter.in === 'path');
    }
  });

  test.each(titled)('%s requires a body exactly where it needs one', (_title, { operation }) => {
    const { requestBody } = operation;
    const schema = requestBody && jsonOf(requestBody)?.schema;
    if (!schema) return;
    expect(Object.keys(schema['properties'] as object).length).toBeGreaterThan(0);
    expect(requestBody.required).toBe('required' in schema);
  });

  test.each(titled)('%s accepts no undescribed field', (_title, { operation }) => {
    const schema = operation.requestBody && jsonOf(operation.requestBody)?.schema;
    if (schema) expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  });
});

/** The contract's own limits, section 8. */
describe('the limits of the contract', () => {
  test.each([
    ['GET /api/venue-a', 'top', 1, 50],
    ['GET /api/venue-a', 'limit', 1, 50],
    ['GET /api/venue-b', 'trending', 1, 50],
    ['GET /api/venue-b', 'top', 1, 50],
    ['GET /api/crypto', 'limit', 1, 100],
  ])('%s %s is %i to %i', (title, name, minimum, maximum) => {
    const parameter = operationOf(title).parameters?.find((each) => each.name === name);
    expect(parameter?.schema).toMatchObject({ type: 'integer', minimum, maximum });
  });

  test.each([
    ['GET /api/venue-a', 'interval', ['1d', '1w', '1m', 'all']],
    ['GET /api/venue-b', 'expand', ['markets']],
    ['GET /api/crypto', 'type', ['trades', 'klines', 'symbols']],
  ])('%s %s is one of %j', (title, name, values) => {
    const parameter = operationOf(title).parameters?.find((each) => each.name === name);
    expect(parameter?.schema.enum).toEqual(values);
  });
});

function exampleInput(
  { parameters = [] }: DescribedOperation['operation'],
  body: unknown,
): Record<string, unknown> {
  const given = parameters.filter(({ in: place, example }) => place !== 'header' && example !== undefined);
  return { ...(body as object), ...Object.fromEntries(given.map(({ name, example }) => [name, example])) };
}

/** Numbers have a minimum and a maximum, texts a form, a list of values or a length. */
function isBounded(schema: Schema): boolean {
  if (schema.type === 'integer' || schema.type === 'number') return 'minimum' in schema;
  return ['format', 'pattern', 'enum', 'maxLength', 'const'].some((keyword) => keyword in schema);
}

const isHelped = ({ description = '' }: Parameter): boolean => /^\S.+\.$/.test(description);
