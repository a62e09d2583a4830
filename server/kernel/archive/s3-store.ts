import { S3mini } from 's3mini';
import type { ArchiveStore } from '../../../engine/platform/archive/store.ts';
import type { S3Location } from './location.ts';

/** One file has a few megabytes at most. */
const TIMEOUT_MS = 15_000;
const MEDIA_TYPE = 'application/octet-stream';

/** Stores files as objects of a bucket. */
export function s3Store({
  endpoint,
  bucket,
  prefix,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Location): ArchiveStore {
  const client = new S3mini({
    endpoint: `${endpoint}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: TIMEOUT_MS,
  });
  return {
    async write(name, bytes) {
      await client.putObject(`${prefix}${name}`, bytes, MEDIA_TYPE);
    },
    async read(name, bytesMax) {
      const response = await client.getObjectResponse(`${prefix}${name}`);
      return response === null ? null : readUpTo(response, bytesMax);
    },
  };
}

/** Reads the body up to a bound, so that a larger object takes no memory. */
async function readUpTo({ body }: Response, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length >= bytesMax) break;
  }
  return Buffer.concat(pieces).subarray(0, bytesMax);
}
