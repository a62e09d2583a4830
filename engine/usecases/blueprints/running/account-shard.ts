import { crc32 } from 'node:zlib';

/** The shard of an account's deployments: all of one account are in one. */
export const shardOfAccount = (accountId: string, shardCount: number): number =>
  crc32(accountId) % shardCount;
