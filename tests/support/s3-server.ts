import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const S3RVER = path.join(import.meta.dirname, '../../tools/s3/node_modules/s3rver');

/** Whether the S3 server is there: `npm ci --prefix tools/s3` installs it. */
export const hasS3Server = existsSync(S3RVER);

/** Runs a server that checks keys, though no signatures, for as long as the task takes. The task gets the URL of a folder there. */
export async function withS3Server(
  directory: string,
  task: (archiveUrl: string) => Promise<void>,
): Promise<void> {
  const S3rver = createRequire(import.meta.url)(S3RVER);
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'trading' }],
  });
  const { port }: AddressInfo = await server.run();
  try {
    await task(`s3://S3RVER:S3RVER@trading/a%20b/cold?endpoint=http://127.0.0.1:${port}&region=us-east-1`);
  } finally {
    await server.close();
  }
}
