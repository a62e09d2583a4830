import { z } from 'zod';
import { exportAccount } from '../../engine/usecases/personal-data/export.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';

export const exportFile = fileRoute({
  path: '/api/account/export',
  access: { kind: 'session', heavy: true },
  tag: 'Account',
  summary: 'All that is stored of the account',
  description:
    'Web session only. A file of JSON lines: what it is of, the person, each row as `{"table", "row"}` of both modes with decimals exact, and last `{"end": {"rows"}}`, without which the file was cut short. Secrets are not in it; results of backtests have files of their own.',
  file: { media: 'application/x-ndjson', name: 'account.ndjson' },
  example: {
    response: `{"export":{"version":1,"account":"${EXAMPLE.keyId}","at":"${EXAMPLE.updatedAt}"}}\n{"end":{"rows":0}}\n`,
  },
  input: z.strictObject({}),
  chunks: async ({ ctx: { work, principal, person } }) => exportAccount(work, await person(principal)),
});
