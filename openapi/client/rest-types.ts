import type { RestRoute } from '../routes.ts';
import { ALIASES, restRoutes } from '../routes.ts';
import { isOptional, titled } from './names.ts';
import { braces, union } from './zod-type.ts';

const HEAD = `// From the code: npm run openapi
import type * as Api from './router.ts';

/** The body of every refusal. */
export type ErrorBody = { error: Api.Refusal; message: string };

type Headers = { 'Idempotency-Key'?: string; 'If-Match'?: string; 'Last-Event-ID'?: string };
type Answers<Media extends string, Output> = {
  200: { headers: { [name: string]: unknown }; content: Record<Media, Output> };
  default: { headers: { [name: string]: unknown }; content: { 'application/json': ErrorBody } };
};
type Sent<Body> = { content: { 'application/json': Body } };

/** The service's API over REST, in the form that openapi-fetch and openapi-typescript know. */
`;

/** The types of every REST operation, in terms of those of the procedures. */
export function restTypes(): string {
  const paths = [...new Set([...restRoutes.map(({ path }) => path), ...Object.keys(ALIASES)])];
  const lines = paths.map((path) => {
    const operations = restRoutes.filter((route) => route.path === (ALIASES[path] ?? path));
    return `  ${JSON.stringify(path)}: {\n${operations.map(operation).join('\n')}\n  };`;
  });
  return `${HEAD}export type paths = {\n${lines.join('\n')}\n};\n`;
}

function operation(route: RestRoute): string {
  const { method, meta, name, promises } = route;
  const media = JSON.stringify(promises.file?.media ?? 'application/json');
  const members = [
    `parameters: ${braces(parameters(route))}`,
    ...sent(route),
    `responses: Answers<${media}, Api.${titled(name)}Output>`,
  ];
  return `    /** ${meta.openapi?.summary ?? name}. */\n    ${method.toLowerCase()}: ${braces(members)};`;
}

function parameters(route: RestRoute): string[] {
  const { pathParameters, takesBody } = route;
  const queryFields = takesBody ? [] : otherFields(route);
  return [
    pathParameters.length > 0 ? `path: Pick<${inputOf(route)}, ${names(pathParameters)}>` : 'path?: never',
    queryFields.length > 0 ? `query?: Pick<${inputOf(route)}, ${names(queryFields)}>` : 'query?: never',
    'header?: Headers',
    'cookie?: never',
  ];
}

function sent(route: RestRoute): string[] {
  const fields = route.takesBody ? otherFields(route) : [];
  if (fields.length === 0) return ['requestBody?: never'];
  const shape = route.input?.shape ?? {};
  const mayBeLeftOut = fields.every((name) => isOptional(shape[name]));
  return [`requestBody${mayBeLeftOut ? '?' : ''}: Sent<Pick<${inputOf(route)}, ${names(fields)}>>`];
}

const inputOf = ({ name }: RestRoute): string => `Api.${titled(name)}Input`;
const names = (fields: readonly string[]): string => union(fields.map((name) => JSON.stringify(name)));

const otherFields = ({ input, pathParameters }: RestRoute): string[] =>
  Object.keys(input?.shape ?? {}).filter((name) => !pathParameters.includes(name));
