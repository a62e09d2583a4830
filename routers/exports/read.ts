import { z } from 'zod';
import { invalid } from '../../engine/platform/errors.ts';
import { EXPORT_TABLES, exportRows } from '../../engine/usecases/exports/account-rows.ts';
import { fileRoute } from '../file-route.ts';

export const read = fileRoute({
  path: '/api/exports',
  access: { kind: 'scope', scope: 'portfolio:read', also: 'orders:read', heavy: true },
  tag: 'Account',
  summary: 'Export a table of the account as Parquet',
  description:
    'Every row of the mode of the key, in the order of its key: decimals as `DECIMAL(38, 12)`, instants in UTC. A truncated file has no footer, and readers refuse it. Over REST only.',
  file: { media: 'application/vnd.apache.parquet', name: 'export.parquet' },
  example: { query: { table: 'fills' }, response: 'PAR1…PAR1' },
  input: z.strictObject({
    table: z
      .enum(EXPORT_TABLES)
      .optional()
      .meta({ description: 'Required. Its rows and columns are in the guide “Notebooks”.' }),
  }),
  chunks: async ({ ctx: { work, archive }, input: { table } }) => {
    if (table === undefined) throw invalid([{ path: '/table', code: 'required', message: 'is required' }]);
    return exportRows(work, table, archive);
  },
});
