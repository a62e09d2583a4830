/** The API's description as a client reads it: JSON, and nothing of the code behind it. */

import { z } from 'zod';

export type Schema = { $ref?: string; type?: string; enum?: unknown[]; [keyword: string]: unknown };
type Media = { schema: Schema; example?: unknown };
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};
export type Response = {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
};
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, { type: string; scheme?: string }>;
  };
};

export type DescribedOperation = { method: string; path: string; title: string; operation: Operation };

export const operationsOf = ({ paths }: Document): DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { method, path, title: `${method} ${path}`, operation };
    }),
  );

/** The response an operation describes for a status, or undefined. */
export function responseOf(document: Document, operation: Operation, status: number): Response | undefined {
  const described = operation.responses[String(status)];
  const name = described?.$ref?.replace('#/components/responses/', '');
  return name === undefined ? described : document.components.responses[name];
}

export const jsonOf = ({ content }: Pick<Response, 'content'>): Media | undefined =>
  content?.['application/json'];

/** The content of a response, whatever its media type: JSON, or a file. */
export function mediaOf({ content = {} }: Pick<Response, 'content'>): { type: string; media: Media } | null {
  const [found] = Object.entries(content);
  return found === undefined ? null : { type: found[0], media: found[1] };
}

/** Reads a JSON Schema of the document as a check of values. */
export function readerOf({ components }: Document, schema: Schema): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
}
