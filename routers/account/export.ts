import { z } from 'zod';
import { exportAccount } from '../../engine/usecases/personal-data/export.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';

export const exportFile = fileRoute({
  path: '/api/account/export',
  access: { kind: 'session', heavy: true },
  tag: 'Account',
  summary: 'Export the stored data of the account',
  description:
    'Web session only. A file of JSON lines: a header, the person, each row as `{"table", "row"}` of both modes with exact decimals, and last `{"end": {"rows"}}`. Without that last line the file is truncated. It contains no secrets; results of backtests have their own files.',
  file: { media: 'application/x-ndjson', name: 'account.ndjson' },
  example: {
    response: `{"export":{"version":1,"account":"${EXAMPLE.keyId}","at":"${EXAMPLE.updatedAt}"}}\n{"end":{"rows":0}}\n`,
  },
  input: z.strictObject({}),
  chunks: async ({ ctx: { work, principal, person, archive } }) =>
    exportAccount(work, await person(principal), archive),
});
