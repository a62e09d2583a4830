import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi';
import { z } from 'zod';
import type { ErrorStatus } from '../engine/platform/error-table.ts';
import { DomainError, invalid, notFound } from '../engine/platform/errors.ts';
import { otherVersion } from '../engine/platform/reviewed-version.ts';
import { ErrorBody } from '../routers/error-body.ts';
import { errorBody, insufficientScope, tooManyRequests } from '../routers/errors.ts';
import { EXAMPLE } from '../routers/examples.ts';
import { appRouter } from '../routers/index.ts';
import { type Access, scopesOf, scopesTogether } from '../routers/principal.ts';
import { TAGS } from '../routers/route.ts';
import type { RouteExample } from '../routers/trpc.ts';
import { eventSchemas, streamSchemaOf } from './events.ts';
import { ALIASES, type RestRoute, restRoutes } from './routes.ts';
import { webhooks } from './webhooks.ts';

const SECURITY_SCHEME = 'Authorization';
const SESSION_SCHEME = 'Session';

const INTRODUCTION = `Automated trading strategies as graphs: draw a blueprint, deploy it, watch its orders, approve the large ones.

Send an API key as \`Authorization: Bearer <API_KEY>\`; every operation names the scope it needs. Errors have one shape;
\`code\` is stable and \`message\` says what to do. Money is in USD, quantities in the instrument's own unit.`;

type Operation = NonNullable<NonNullable<OpenAPIObject['paths']>[string]['get']>;
type Responses = NonNullable<Operation['responses']>;
type Response = Exclude<Responses[string], { $ref: string } | undefined>;
type Parameter = NonNullable<Operation['parameters']>[number];

/** What each status means, with a refusal as its throwers make it. */
const STATUSES: Record<ErrorStatus, { name: string; description: string; example: DomainError }> = {
  400: {
    name: 'BadRequest',
    description: 'Request validation failed.',
    example: invalid([{ path: '/name', code: 'custom', message: 'must not be empty' }]),
  },
  401: {
    name: 'Unauthorized',
    description: 'Missing, invalid, revoked or expired credentials.',
    example: DomainError.of('credentials_invalid'),
  },
  403: {
    name: 'Forbidden',
    description: 'Credential valid but lacks the scope or cannot perform the action.',
    example: insufficientScope(['orders:write']),
  },
  404: {
    name: 'NotFound',
    description: 'Missing, or belongs to another account.',
    example: notFound(),
  },
  409: {
    name: 'IdempotencyKeyInUse',
    description: 'Only with `Idempotency-Key`: the first request with it is still running.',
    example: DomainError.of('idempotency_key_in_use'),
  },
  412: {
    name: 'PreconditionFailed',
    description: 'Only with `If-Match`: it is not what was reviewed any more.',
    example: otherVersion(4, 3),
  },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'Only with `Idempotency-Key`: it belongs to another request.',
    example: DomainError.of('idempotency_key_reused'),
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests.',
    example: tooManyRequests({ what: 'read', points: 40, windowSec: 2 }, 1),
  },
  500: {
    name: 'InternalError',
    description: 'Unexpected server error.',
    example: DomainError.of('internal'),
  },
  503: {
    name: 'Unavailable',
    description: 'Temporary service or upstream dependency problem.',
    example: DomainError.of('database_unavailable'),
  },
};

/**
 * The OpenAPI 3.1 description, from the procedures. The library knows neither our scopes nor our error body nor
 * examples and headers; all of them are set here from the procedures' meta.
 */
export function buildDocument(): OpenAPIObject {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Trading-Strategy Service',
    description: INTRODUCTION,
    version: '1.0',
    openApiVersion: '3.1.0',
    baseUrl: '/',
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'An API key: `tsk_…`.' },
      [SESSION_SCHEME]: {
        type: 'apiKey',
        in: 'cookie',
        name: 'better-auth.session_token',
        description: 'The web session of a signed-in user.',
      },
    },
    defs: { Error: ErrorBody },
  });
  for (const route of restRoutes) describeRoute(operationOf(document, route), route);
  for (const [alias, path] of Object.entries(ALIASES)) describeAlias(document, alias, path);
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  document.components = {
    ...document.components,
    schemas: { ...withoutLibraryErrors(document.components?.schemas ?? {}), ...eventSchemas() },
    responses: errorResponses(),
  };
  return { ...document, webhooks: webhooks() } as OpenAPIObject;
}

function operationOf(document: OpenAPIObject, route: RestRoute): Operation {
  const operation = document.paths?.[route.path]?.[route.method.toLowerCase() as 'get'];
  if (!operation) throw new Error(`${route.name} has no operation in the document.`);
  return operation;
}

/** The same operations under a second path, with ids of their own. */
function describeAlias(document: OpenAPIObject, alias: string, path: string): void {
  const methods = Object.entries(document.paths?.[path] ?? {}).map(([method, operation]) => [
    method,
    { ...operation, operationId: `${operation.operationId}-alias` },
  ]);
  document.paths = { ...document.paths, [alias]: Object.fromEntries(methods) };
}

function describeRoute(operation: Operation, route: RestRoute): void {
  const { access, example } = route;
  operation.security = securityOf(access);
  operation.responses = responsesOf(operation.responses ?? {}, route, example.response);
  describeBody(operation, route, example);
  describeParameters(operation, route, example);
  describeHeaders(operation, route);
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'open') return [];
  const key = scopesOf(access).map((scope) => ({
    [SECURITY_SCHEME]: [scope, ...scopesTogether(access).slice(1)],
  }));
  return [...key, { [SESSION_SCHEME]: [] }];
}

function responsesOf(described: Responses, route: RestRoute, example: unknown): Responses {
  const success = described['200'] as Response;
  const media = success.content?.['application/json'];
  if (!media) throw new Error(`${route.name} answers no JSON.`);
  media.example = example;
  const { items } = route.promises.file ?? {};
  if (items !== undefined) media.schema = streamSchemaOf(items) as typeof media.schema;
  const content = { [route.promises.file?.media ?? 'application/json']: media };
  return {
    '200': { ...success, content, headers: { ...success.headers, ...successHeaders(route) } },
    ...Object.fromEntries(
      route.promises.errors.map((status) => [
        String(status),
        { $ref: `#/components/responses/${STATUSES[status].name}` },
      ]),
    ),
  };
}

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const RATE_LIMITS = {
  RateLimit: text('What is left of the limit, such as `"read";r=37;t=1, "account";r=77;t=1`.'),
  'RateLimit-Policy': text('The limit, such as `"read";q=40;w=2, "account";q=80;w=2`.'),
};

const REPLAYED = { 'Idempotent-Replayed': text('`true`: the answer of the first request with this key.') };

function successHeaders(route: RestRoute) {
  return {
    'X-Request-Id': text('Quote it when asking for help.'),
    ...(!route.open && RATE_LIMITS),
    ...(route.promises.etag && { ETag: text('The version; send it as `If-Match`.') }),
    ...(route.promises.file?.name && {
      'Content-Disposition': text('`attachment`, and what to save it as.'),
    }),
    ...(route.promises.pages && { Link: text('`rel="next"`: where further rows are.') }),
    ...(route.promises.idempotent === 'kept' && REPLAYED),
  };
}

function describeHeaders(operation: Operation, route: RestRoute): void {
  const headers: Parameter[] = [];
  if (route.promises.idempotent) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes the request safe to repeat for 24 hours: one effect, one answer.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
  }
  if (route.promises.ifMatch) {
    headers.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` you reviewed; 412 if it is another version by now.',
      schema: { type: 'string', maxLength: 40 },
    });
  }
  if (route.promises.file?.items === 'AccountEvent') {
    headers.push({
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The `id` of the last event seen; browsers send it by themselves when they come back.',
      schema: { type: 'string', maxLength: 15 },
    });
  }
  if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers];
}

/** The library asks for a body wherever one is possible: none where there is nothing to say, required where there is. */
function describeBody(
  operation: Operation,
  { input, pathParameters }: RestRoute,
  { request }: RouteExample,
): void {
  const { requestBody } = operation;
  if (!requestBody || '$ref' in requestBody) return;
  const fields = Object.entries(input?.shape ?? {}).filter(([name]) => !pathParameters.includes(name));
  if (fields.length === 0) {
    delete operation.requestBody;
    return;
  }
  requestBody.required = fields.some(([, schema]) => !isOptional(schema));
  for (const media of Object.values(requestBody.content)) media.example = request ?? {};
}

const isOptional = (schema: z.core.$ZodType): boolean => z.safeParse(schema, undefined).success;

/** The library loses the description of an optional parameter, and knows no examples. */
function describeParameters(
  operation: Operation,
  route: RestRoute,
  { path = {}, query = {} }: RouteExample,
): void {
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter || parameter.in === 'header') continue;
    const { name } = parameter;
    const description = describedIn(route, name);
    if (description !== undefined) parameter.description = description;
    const value = parameter.in === 'path' ? path[name] : query[name];
    if (value !== undefined) parameter.example = value;
  }
}

function describedIn({ input }: RestRoute, name: string): string | undefined {
  const schema: unknown = input?.shape[name];
  return schema instanceof z.ZodType ? schema.description : undefined;
}

function errorResponses(): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(STATUSES).map(([status, { name, description, example }]) => [
      name,
      {
        description,
        headers: errorHeaders(Number(status)),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            // One sentence is example enough: without its issues.
            example: errorBody(new DomainError(example.code, example.message), EXAMPLE.requestId),
          },
        },
      },
    ]),
  );
}

/** Whoever is known is told what is left, also of a call that is refused. */
function errorHeaders(status: number) {
  return {
    'X-Request-Id': text('Quote it when asking for help.'),
    ...((status === 401 || status === 403) && { 'WWW-Authenticate': text('RFC 6750.') }),
    ...([409, 429, 503].includes(status) && {
      'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } },
    }),
    ...(status !== 401 && RATE_LIMITS),
    ...([403, 404, 422].includes(status) && REPLAYED),
  };
}

function withoutLibraryErrors<Schemas extends object>(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).filter(([name]) => !name.startsWith('error.')),
  ) as Schemas;
}
