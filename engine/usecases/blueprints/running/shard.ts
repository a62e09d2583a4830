import { crc32 } from 'node:zlib';

/** Which share of the running deployments an account's belong to: all of one account to one. */
export const shardOf = (accountId: string, shardCount: number): number => crc32(accountId) % shardCount;
