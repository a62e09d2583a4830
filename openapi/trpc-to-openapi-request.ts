import type { DomainError } from '../engine/platform/errors.ts';
import type { AnswerSink, Context } from '../routers/context.ts';
import type { RestRoute } from './routes.ts';

const JSON_HEADERS = new Headers({ 'content-type': 'application/json' });
const NEVER_ABORTED = new AbortController().signal;

export type TrpcToOpenApiCall = {
  route: RestRoute;
  /** The path as asked, in which the adapter finds the path parameters. */
  path: string;
  query: Readonly<Record<string, string | number>>;
  body: unknown;
  context: Context;
};

/**
 * One call as `trpc-to-openapi` reads it: method, path, query and body, already read and checked, and nothing else of
 * the request; and the sink of its answer.
 *
 * It passes for a web `Request`, which the adapter takes as it is. Of Node's own request it would make one, copying
 * every header and the whole body, only to learn when the caller hangs up, which no REST procedure asks.
 */
export class TrpcToOpenApiRequest implements AnswerSink {
  readonly headers = JSON_HEADERS;
  readonly signal = NEVER_ABORTED;
  readonly method: string;
  readonly url: string;
  readonly query: TrpcToOpenApiCall['query'];
  readonly body: unknown;
  readonly context: Context;
  readonly route: RestRoute;
  /** Why the call was refused, once it was. */
  refusal: DomainError | null = null;
  /** The answer, where it is a file. */
  file: AsyncIterable<string | Uint8Array> | null = null;
  /** The answer, where it is JSON text already. */
  json: string | null = null;

  constructor({ route, path, query, body, context }: TrpcToOpenApiCall) {
    this.method = route.method;
    this.url = path;
    this.query = query;
    this.body = body;
    this.context = context;
    this.route = route;
  }

  takeFile(chunks: AsyncIterable<string | Uint8Array>): void {
    this.file = chunks;
  }

  takeJson(json: string): void {
    this.json = json;
  }

  /** The same object when the adapter hands it back. */
  static of(request: object): TrpcToOpenApiRequest {
    if (request instanceof TrpcToOpenApiRequest) return request;
    throw new Error('The facade prepares every request.');
  }
}
Object.setPrototypeOf(TrpcToOpenApiRequest.prototype, Request.prototype);
