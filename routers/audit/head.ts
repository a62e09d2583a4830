import { z } from 'zod';
import { readChainHead } from '../../engine/ledger/hash-chain.ts';
import { route } from '../route.ts';

export const head = route({
  method: 'GET',
  path: '/api/audit/head',
  access: { kind: 'session' },
  tag: 'Audit',
  summary: 'Read the head of the ledger',
  description:
    'Web session only. Fills, steps of orders, cash and the audit trail are chained by SHA-256. Keep this answer, and you can prove later that nothing before it was changed.',
  example: {
    response: { number: 412, hash: 'c0ffee254729296a45a3885639ac7e10f9d54979e9c2e7a1f5f0f2d3b1a09c11' },
  },
  input: z.strictObject({}),
  output: z
    .object({
      number: z.int().nonnegative().meta({ description: 'How many links the chain has.' }),
      hash: z
        .string()
        .length(64)
        .nullable()
        .meta({ description: 'SHA-256 of the last link, as hexadecimal digits; null while there is none.' }),
    })
    .meta({ id: 'LedgerHead', description: 'The last link of the chain over an account’s history.' }),
  resolve: async ({ ctx }) =>
    (await readChainHead(ctx.work.db, ctx.work.accountId)) ?? { number: 0, hash: null },
});
