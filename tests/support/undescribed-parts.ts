/** Checks every response against the API's description. */

import { readFileSync } from 'node:fs';
import { type Document, type Operation, operationsOf, responseOf } from './document.ts';

/** Headers of the transport, or the same on every response of the service, pages included. */
const OF_EVERY_ANSWER =
  /^(connection|content-(length|security-policy|type)|date|keep-alive|transfer-encoding|cache-control|vary|referrer-policy|strict-transport-security|origin-agent-cluster|cross-origin-.*|access-control-.*|x-(accel-buffering|content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

export const description = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
) as Document;

const operations = operationsOf(description).map(({ method, path, title, operation }) => ({
  method,
  title,
  operation,
  isFixed: !path.includes('{'),
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

type Served = { method: string; path: string; status: number; headers: Headers };

/** Returns the status or headers of a response that the description of its operation lacks. Empty for any other path. */
export function undescribedParts({ method, path, status, headers }: Served): string[] {
  const requestMethod = method === 'HEAD' ? 'GET' : method;
  const own = path.replace(/\?.*$/s, '');
  const found = operations.filter((each) => each.method === requestMethod && each.pattern.test(own));
  const { title, operation } = found.find(({ isFixed }) => isFixed) ?? found[0] ?? {};
  if (!operation) return [];
  return missingIn(operation, status, headers).map(
    (what) => `${title} answers ${what}, which is not described`,
  );
}

function missingIn(operation: Operation, status: number, headers: Headers): string[] {
  const response = responseOf(description, operation, status);
  if (!response) return [`${status}`];
  const described = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  return [...headers.keys()]
    .filter((name) => !OF_EVERY_ANSWER.test(name) && !described.has(name))
    .map((name) => `${status} with ${name}`);
}
