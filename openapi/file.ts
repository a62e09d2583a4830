import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FileKind } from '../routers/trpc.ts';

const WITHOUT_CHARSET = new Set<FileKind['media']>(['application/json', 'application/vnd.apache.parquet']);

/** The headers of an answer that is a file. */
export const fileHeaders = ({ media, name, policy }: FileKind): Record<string, string> => ({
  'Content-Type': WITHOUT_CHARSET.has(media) ? media : `${media}; charset=utf-8`,
  ...(name !== undefined && { 'Content-Disposition': `attachment; filename="${name}"` }),
  // A proxy that collects an answer before it hands it on would hold events back.
  ...(media === 'text/event-stream' && { 'X-Accel-Buffering': 'no' }),
  ...(policy !== undefined && { 'Content-Security-Policy': policy }),
});

/** Writes a file as fast as it is read, so that no more of it is in memory than is under way. */
export async function sendFile(
  response: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
  end: () => unknown,
): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  end();
}
