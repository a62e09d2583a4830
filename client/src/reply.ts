/** The metadata of an answer, beyond its body. */
export type Reply = {
  requestId: string;
  /** The version that was read or changed: pass it as `expectedVersion` to refuse a conflicting change. */
  version?: number;
  /** The cursor of the next page; absent on the last. */
  nextCursor?: string;
  /** This is the answer of an earlier request with the same key. */
  replayed?: true;
};

export type Replied<Output> = { data: Output; reply: Reply };

/** Reads the metadata of a REST answer from its headers. */
export function replyOf({ headers }: Response): Reply {
  const version = /^"v(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
  const target = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  const nextCursor = target && new URLSearchParams(target.slice(target.indexOf('?'))).get('cursor');
  return {
    requestId: headers.get('x-request-id') ?? '',
    ...(version !== undefined && { version: Number(version) }),
    ...(nextCursor && { nextCursor }),
    ...(headers.has('idempotent-replayed') && { replayed: true }),
  };
}

/** Yields the rows of a list, page by page; reads each page once the previous one is used up. */
export async function* rowsOf<Row>(
  readPage: (cursor: string | undefined) => Promise<Replied<readonly Row[]>>,
): AsyncGenerator<Row, void> {
  for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
    const { data, reply } = await readPage(cursor);
    yield* data;
    cursor = reply.nextCursor;
  }
}
