/**
 * Types for calling operations over REST. They stand here and not in a library, so that a caller's compiler reads only this
 * file.
 */
import type { ErrorBody, paths } from './generated/rest.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathOf<M extends Method> = {
  [Path in keyof paths]: M extends keyof paths[Path] ? Path : never;
}[keyof paths];
type Operation<M extends Method, Path extends keyof paths> = paths[Path][M & keyof paths[Path]];

type Parameters<O> = O extends { parameters: infer Params }
  ? object extends Params
    ? { params?: Params }
    : { params: Params }
  : never;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer Sent } } }
  ? { body: Sent }
  : O extends { requestBody?: infer Sent }
    ? { body?: Sent extends { content: { 'application/json': infer Json } } ? Json : never }
    : never;
type OutputOf<O> = O extends { responses: { 200: { content: infer Content } } }
  ? Content[keyof Content]
  : never;

/** Options of one request, in addition to the parameters of its operation. */
export type RestCall<Read extends ReadAs = ReadAs> = Omit<RequestInit, 'body' | 'headers' | 'method'> & {
  headers?: RequestInit['headers'] | Record<string, string | number | boolean | null | undefined>;
  /** The format of the answer: JSON by default. */
  parseAs?: Read;
  fetch?: (request: Request) => Promise<Response>;
};

type ReadAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';
type ReadIn<Output> = {
  json: Output;
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: Response['body'];
};

export type RestAnswer<Output> =
  | { data: Output; error?: never; response: Response }
  | { data?: never; error: ErrorBody; response: Response };

type CallInput<O, Read extends ReadAs> = Parameters<O> & Body<O> & RestCall<Read>;
type Call<M extends Method> = <Path extends PathOf<M>, Read extends ReadAs = 'json'>(
  path: Path,
  ...input: object extends Parameters<Operation<M, Path>> & Body<Operation<M, Path>>
    ? [input?: CallInput<Operation<M, Path>, Read>]
    : [input: CallInput<Operation<M, Path>, Read>]
) => Promise<RestAnswer<ReadIn<OutputOf<Operation<M, Path>>>[Read]>>;

type QueryOf<Path extends keyof paths> =
  Operation<'get', Path> extends {
    parameters: { query?: infer Params };
  }
    ? NonNullable<Params>
    : never;
type PagedPath = {
  [Path in PathOf<'get'>]: [QueryOf<Path>] extends [never]
    ? never
    : 'cursor' extends keyof QueryOf<Path>
      ? Path
      : never;
}[PathOf<'get'>];
type RowOf<Output> = Output extends readonly (infer Row)[] ? Row : never;

/** Hooks before each request, and after each answer. */
export type RestMiddleware = {
  onRequest?: (on: {
    request: Request;
  }) => Request | Response | undefined | Promise<Request | Response | undefined>;
  onResponse?: (on: {
    request: Request;
    response: Response;
  }) => Response | undefined | Promise<Response | undefined>;
};

/** The operations by method and path: `rest.GET('/api/orders', …)`. */
export type RestClient = {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** Every row of a list, page by page: `for await (const order of rest.ALL('/api/orders'))`. */
  ALL: <Path extends PagedPath>(
    path: Path,
    ...input: object extends Parameters<Operation<'get', Path>>
      ? [input?: CallInput<Operation<'get', Path>, 'json'>]
      : [input: CallInput<Operation<'get', Path>, 'json'>]
  ) => AsyncGenerator<RowOf<OutputOf<Operation<'get', Path>>>, void>;
  use: (...middleware: RestMiddleware[]) => void;
};
