import { z } from 'zod';
import { DomainError } from '../engine/platform/errors.ts';
import type { AccountContext } from './context.ts';
import { type Route, route } from './route.ts';
import { anyJson } from './schemas.ts';
import type { FileKind, GuardedAccess } from './trpc.ts';

/** Over tRPC a file is one value, in memory: larger ones are for REST. */
const VALUE_CHARS_MAX = 8 * 1_048_576;

type FileRoute<Where extends `/${string}`, Input extends z.ZodObject> = Omit<
  Route<'GET', Where, GuardedAccess, Input, z.ZodType, undefined>,
  'method' | 'output' | 'resolve' | 'prepare' | 'idempotent' | 'file'
> & {
  file: FileKind;
  /** The file in chunks. A refusal comes before the first chunk. */
  chunks: (call: {
    ctx: AccountContext;
    input: z.output<Input>;
  }) => Promise<AsyncIterable<string | Uint8Array>>;
};

const OUTPUTS: Partial<Record<FileKind['media'], z.ZodType>> = {
  'application/json': anyJson,
  'application/vnd.apache.parquet': z.string().meta({ format: 'binary' }),
};

/** A route whose answer is a file: streamed over REST, one text over tRPC. */
export function fileRoute<const Where extends `/${string}`, Input extends z.ZodObject>({
  chunks,
  ...made
}: FileRoute<Where, Input>) {
  return route({
    ...made,
    method: 'GET',
    output: OUTPUTS[made.file.media] ?? z.string(),
    resolve: async ({ ctx, input }) => {
      const pieces = await chunks({ ctx, input });
      if (ctx.sink === null) return joined(pieces);
      // A stream of events begins before its first event.
      ctx.sink.takeFile(made.file.media === 'text/event-stream' ? pieces : await begun(pieces));
      return '';
    },
  });
}

/** Waits for the first chunk: a refusal until then is an answer with its status, not a file that is cut. */
export async function begun<Piece>(pieces: AsyncIterable<Piece>): Promise<AsyncIterable<Piece>> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = [await rest.next()];
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => first.shift() ?? (await rest.next()),
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

async function joined(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    if (typeof piece !== 'string') throw notText();
    text += piece;
    if (text.length > VALUE_CHARS_MAX) throw tooLarge();
  }
  return text;
}

const notText = () => new DomainError('invalid_state', 'This file is no text. Read it over REST.');

const tooLarge = () =>
  new DomainError('invalid_state', 'This file is too large for one answer of tRPC. Read it over REST.');
